// Words for why something waits, for both the window and the command line.

import { assertNever } from '../../assert.ts'
import { t } from '../../language/translate.ts'
import type { WaitCause } from '../../wait-cause.ts'
import { isOfDisk, isOfDrive, type DiskReason, type DriveReason, type WaitReason } from '../transfer.ts'

/**
 * Why a transfer waits for the service `name` or a proxy, without the full stop: `Can’t reach Studio: no such host`.
 */
export function waitWords(reason: ServiceReason, cause: WaitCause | null, name: string): string {
  switch (reason) {
    case 'network': {
      const sentence = cause === null ? null : causeSentence(cause, name)
      return sentence ?? because(t('transfer.wait.network', { name }), cause)
    }
    case 'proxy':
      if (cause?.code === 'proxy-could-not-connect') return withStatus(t('transfer.wait.proxy-there', { name }), cause)
      if (cause === null || cause.host === null) return because(t('transfer.wait.proxy'), cause)
      return because(t('transfer.wait.proxy-named', { host: cause.host }), cause)
    case 'server-busy':
      return withStatus(t('transfer.wait.busy'), cause)
    case 'server-error':
      return cause === null ? t('transfer.wait.stopped-answering') : withStatus(t('transfer.wait.server-error'), cause)
    default:
      return assertNever(reason)
  }
}

function because(what: string, cause: WaitCause | null): string {
  return cause === null ? what : t('transfer.wait.because', { what, cause: causeWords(cause) })
}

function withStatus(what: string, cause: WaitCause | null): string {
  return cause?.httpStatus == null ? what : t('transfer.with-status', { what, status: cause.httpStatus })
}

/** A sentence, without full stop, for a cause that says more than that `name` can’t be reached; otherwise null. */
export function causeSentence({ code }: WaitCause, name: string): string | null {
  if (code === 'web-page') return t('transfer.web-page', { name })
  return code === 'keys-awaited' ? t('transfer.wait.keys-awaited') : null
}

/** A cause as words that follow a colon: `connection refused`. */
export function causeWords({ code, httpStatus }: WaitCause): string {
  switch (code) {
    case 'keys-awaited':
      return t('transfer.wait.keys-awaited')
    case 'http-status':
      return t('transfer.cause.http-status', { status: String(httpStatus) })
    case 'proxy-could-not-connect': {
      const what = t('transfer.cause.proxy-could-not-connect')
      return httpStatus === null ? what : t('transfer.with-status', { what, status: httpStatus })
    }
    default:
      return t(`transfer.cause.${code}`)
  }
}

/** Reasons to wait that concern a service or the way there. */
export type ServiceReason = Exclude<WaitReason, DiskReason | DriveReason>

export function isOfService(reason: WaitReason): reason is ServiceReason {
  return !isOfDisk(reason) && !isOfDrive(reason)
}
