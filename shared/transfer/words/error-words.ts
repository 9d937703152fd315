// Sentences that say what went wrong and what to do, for both the window and the command line.

import { assertNever } from '../../assert.ts'
import { worded, type Message } from '../../language/message.ts'
import { ended } from '../../language/sentences.ts'
import { t } from '../../language/translate.ts'
import { ARCHIVED_CODE, FULL_CODES, QUOTA_CODES, REGION_CODES, STORE_ERROR } from '../../service-codes.ts'
import type { TransferErrorInfo } from '../transfer-error.ts'
import { causeSentence, causeWords, waitWords } from './wait-words.ts'

/** What the button beside an error does. */
export type ErrorAction =
  | 'retry'
  | 'start-over'
  | 'remove'
  | 'relink'
  | 'review'
  | 'decide'
  | 'certificate'
  | 'network'
  | 'edit-place'
  | 'choose-bucket'
  | 'unlock-keyring'

export interface ErrorWords {
  /** What happened, in plain words. */
  readonly sentence: string
  readonly action: ErrorAction
  readonly actionLabel: string
}

/** What the sentence may name. */
export interface ErrorContext {
  readonly name: string
  readonly placeName: string
  readonly bucket: string
  readonly localPath: string
  /** The transfer is of a link; there is no place. */
  readonly isLink?: boolean
  /** The place has no bucket of its own. */
  readonly hasAllBuckets?: boolean
  /** The transfer is of a folder, or of everything under a prefix. */
  readonly isFolder?: boolean
  /** Some bytes were transferred and are kept for continuing. */
  readonly keepsBytes?: boolean
}

/** Why a request was refused. Worded only where it is read, because the window may speak another language by then. */
export type Refusal = Message | string | { readonly error: TransferErrorInfo; readonly context: ErrorContext }

/** One sentence for a refusal, in the current language. */
export function refusalWords(refusal: Refusal): string {
  const isError = typeof refusal !== 'string' && 'error' in refusal
  return isError ? describeError(refusal.error, refusal.context).sentence : worded(refusal)
}

/** Whether the service refused because the key is not allowed to do that. Pure. */
export function isDenial(refusal: Refusal): boolean {
  return typeof refusal !== 'string' && 'error' in refusal && refusal.error.code === 'access-denied'
}

/** The error catalog: maps a cause to words and one action. Code and request id belong under Details, not here. */
export function describeError(error: TransferErrorInfo, context: ErrorContext): ErrorWords {
  switch (error.code) {
    case 'access-denied':
      return describeDenial(error, context)
    case 'another-object':
      return relink(t('transfer.error.another-object', { kept: keptOf(context) }), t('transfer.action.relink-other'))
    case 'certificate-untrusted':
      return showCertificate(t('transfer.error.certificate-untrusted'))
    case 'changed-on-server':
      return startOver(t('transfer.error.changed-on-server'), t('transfer.action.get-new'))
    case 'conflict-on-server':
      return decide(t('transfer.error.conflict-on-server'))
    case 'earlier-upload':
      return review(t('transfer.error.earlier-upload'))
    case 'feature-unavailable':
    case 'invalid-argument':
      return remove(t(`transfer.error.${error.code}`))
    case 'gave-up-waiting':
      return retry(describeGivingUp(error, context))
    case 'items-failed':
      return retry(t('transfer.error.items-failed', { name: context.name }))
    case 'key-not-accepted':
    case 'keys-expired':
      return describeKey(error, context)
    case 'link-expired':
      return relink(t('transfer.error.link-expired', { kept: keptOf(context) }))
    case 'no-https':
      return describeNoHttps(context)
    case 'no-such-bucket':
      return describeNoBucket(context)
    case 'no-such-key':
    case 'place-removed':
      return describeGone(error, context)
    case 'outcome-unknown':
      return decide(t('transfer.error.outcome-unknown'))
    case 'clock-skew':
    case 'internal':
    case 'part-damaged':
    case 'state-unwritable':
      return retry(t(`transfer.error.${error.code}`))
    case 'proxy-refused':
    case 'proxy-sign-in':
    case 'proxy-unsupported':
      return describeProxy(error, context.placeName)
    case 'ends-early':
    case 'final-mismatch':
    case 'range-not-answered':
      return describeBytes(error)
    case 'answer-unreadable':
    case 'refused-by-server':
    case 'web-page':
      return describeRefusal(error, context)
    case 'source-changed':
      return startOver(t('transfer.error.source-changed'), t('common.continue'))
    case 'disk-full':
    case 'file-too-large':
    case 'name-not-storable':
    case 'partial-gone':
    case 'source-missing':
    case 'source-unreadable':
    case 'target-exists':
    case 'target-read-only':
    case 'target-unwritable':
      return describeGuard(error, context) ?? describeFile(error.code, context)
    case 'upload-lost':
      return startOver(t('transfer.error.upload-lost'), t('transfer.action.upload-again'))
    default:
      return assertNever(error.code)
  }
}

/** Whether the sentence may say that something is kept. */
function keptOf({ keepsBytes }: ErrorContext): 'yes' | 'no' {
  return keepsBytes === true ? 'yes' : 'no'
}

/** For a refusal by the system's privacy settings, which a person may change; null when it isn't one. */
function describeGuard({ code, guard }: TransferErrorInfo, { name }: ErrorContext): ErrorWords | null {
  if (guard === undefined) return null
  return retry(t(`transfer.error.${guard}-${code === 'source-unreadable' ? 'read' : 'write'}`, { name }))
}

/** Errors of a disk or a file on it. */
function describeFile(
  code:
    | 'disk-full'
    | 'file-too-large'
    | 'name-not-storable'
    | 'partial-gone'
    | 'source-missing'
    | 'source-unreadable'
    | 'target-exists'
    | 'target-read-only'
    | 'target-unwritable',
  { name, localPath, isFolder }: ErrorContext,
): ErrorWords {
  if (code === 'name-not-storable') return remove(t('transfer.error.name-not-storable', { name }))
  if (code === 'source-missing') return retry(sourceMissingWords(localPath, isFolder === true))
  return retry(t(`transfer.error.${code}`, { name }))
}

/** The sentence for a missing file or folder that was to be uploaded. */
export function sourceMissingWords(path: string, isFolder: boolean): string {
  return t('transfer.error.source-missing', { what: isFolder ? 'folder' : 'file', path })
}

function describeNoBucket({ bucket, hasAllBuckets = false }: ErrorContext): ErrorWords {
  // Where a command's error is reported, its bucket isn't always known.
  const sentence = t('transfer.error.no-such-bucket', { known: bucket === '' ? 'no' : 'yes', bucket })
  // A place that spans all buckets names none that could be corrected.
  if (hasAllBuckets) return { sentence, action: 'choose-bucket', actionLabel: t('transfer.action.choose-bucket') }
  return editPlace(sentence)
}

function describeBytes({ code }: TransferErrorInfo): ErrorWords {
  if (code === 'final-mismatch')
    return startOver(t('transfer.error.final-mismatch'), t('transfer.action.transfer-again'))
  return retry(t(code === 'range-not-answered' ? 'transfer.error.range-not-answered' : 'transfer.error.ends-early'))
}

function describeDenial(error: TransferErrorInfo, { placeName: place, isLink }: ErrorContext): ErrorWords {
  return isLink === true
    ? relink(t('transfer.error.refused-link', { place, status: statusOf(error) }))
    : editPlace(t('transfer.error.not-allowed', { place }))
}

function describeGone(error: TransferErrorInfo, { placeName: place, isLink, isFolder }: ErrorContext): ErrorWords {
  if (error.code === 'place-removed') return remove(t('transfer.error.place-removed'))
  if (isLink === true) return relink(t('transfer.error.nothing-at-link', { place, status: statusOf(error) }))
  return remove(t(isFolder === true ? 'transfer.error.empty-folder' : 'transfer.error.no-such-key'))
}

/** The HTTP status for a message, which may help whoever maintains the link. */
function statusOf({ httpStatus }: TransferErrorInfo): string | number {
  return httpStatus ?? 'none'
}

/** The time for waiting is over: says what was waited for, if known. */
function describeGivingUp({ waitCause, isOfProxy }: TransferErrorInfo, context: ErrorContext): string {
  if (isOfProxy === true) return ended(waitWords('proxy', waitCause ?? null, context.placeName))
  if (waitCause === undefined) return t('transfer.error.gave-up', { kept: keptOf(context) })
  const { code, host, httpStatus } = waitCause
  const name = host ?? context.placeName
  const sentence = causeSentence(waitCause, name)
  if (sentence !== null) return ended(sentence)
  return code === 'http-status'
    ? t('transfer.error.gave-up-status', { status: String(httpStatus) })
    : t('transfer.error.gave-up-unreachable', { name, cause: causeWords(waitCause) })
}

function describeNoHttps({ placeName, isLink }: ErrorContext): ErrorWords {
  const sentence = t('transfer.error.no-https', { place: placeName })
  return isLink === true ? relink(sentence) : editPlace(sentence)
}

function describeProxy({ code, httpStatus, serviceCode }: TransferErrorInfo, place: string): ErrorWords {
  const action = { action: 'network', actionLabel: t('transfer.action.network') } as const
  if (serviceCode === STORE_ERROR.proxyKeyringLocked) return unlockKeyring(t('transfer.error.keyring-locked-proxy'))
  if (code === 'proxy-sign-in') return { sentence: t('transfer.error.proxy-sign-in'), ...action }
  if (code === 'proxy-refused') return { sentence: t('transfer.error.proxy-refused', { place }), ...action }
  return { sentence: t(httpStatus === 407 ? 'transfer.error.proxy-ntlm' : 'transfer.error.proxy-socks'), ...action }
}

function describeKey(error: TransferErrorInfo, { placeName: place, isLink }: ErrorContext): ErrorWords {
  const { code, httpStatus, serviceCode } = error
  if (isLink === true) return describeSignIn(error, place)
  if (code === 'keys-expired') return editPlace(t('transfer.error.keys-expired', { place }))
  if (serviceCode === STORE_ERROR.keyringLocked) return editPlace(t('transfer.error.keyring-locked', { place }))
  // No answer at all: the request was never signed, because the secret is gone, or a profile gives none.
  return httpStatus === null
    ? editPlace(t('transfer.error.key-not-saved', { place }))
    : editPlace(t('transfer.error.key-not-accepted', { place }))
}

/** A link with a sign-in is never requested without it, so the cause may be on this computer. */
function describeSignIn(error: TransferErrorInfo, place: string): ErrorWords {
  if (error.serviceCode === STORE_ERROR.keyringLocked) return unlockKeyring(t('transfer.error.keyring-locked-link'))
  return error.httpStatus === null
    ? relink(t('transfer.error.link-not-saved'))
    : relink(t('transfer.error.link-needs-sign-in', { place, status: error.httpStatus }))
}

/** The service's code, or ours, tells whether the place's settings may fix the refusal. */
function describeRefusal(error: TransferErrorInfo, context: ErrorContext): ErrorWords {
  const { placeName: place, isLink } = context
  const { code, serviceCode } = error
  if (code === 'answer-unreadable') {
    return retry(t('transfer.error.answer-unreadable', { place, kept: keptOf(context) }))
  }
  if (code === 'web-page') return relink(t('transfer.error.web-page', { place }))
  if (isLink === true && serviceCode === STORE_ERROR.redirect) return relink(t('transfer.error.link-in-circle'))
  if (isLink === true && (error.httpStatus ?? 400) < 300) {
    return relink(t('transfer.error.no-content', { place, status: statusOf(error) }))
  }
  if (error.httpStatus === 413) return retry(t('transfer.error.part-too-large', { place }))
  if (serviceCode === ARCHIVED_CODE) return retry(t('transfer.error.archived', { place }))
  if (serviceCode === null || isLink === true) return retry(t('transfer.error.refused'))
  if (FULL_CODES.has(serviceCode)) return retry(t('transfer.error.storage-full', { place }))
  if (QUOTA_CODES.has(serviceCode)) return retry(t('transfer.error.quota', { place }))
  if (serviceCode === STORE_ERROR.redirect) return editPlace(t('transfer.error.redirects', { place }))
  if (REGION_CODES.has(serviceCode)) return editPlace(t('transfer.error.wrong-region', { place }))
  return retry(t('transfer.error.refused'))
}

const retry = (sentence: string): ErrorWords => ({ sentence, action: 'retry', actionLabel: t('commands.name.retry') })
const decide = (sentence: string): ErrorWords => ({
  sentence,
  action: 'decide',
  actionLabel: t('transfer.action.decide'),
})
const remove = (sentence: string): ErrorWords => ({
  sentence,
  action: 'remove',
  actionLabel: t('common.remove'),
})
const review = (sentence: string): ErrorWords => ({
  sentence,
  action: 'review',
  actionLabel: t('transfer.action.review'),
})
const relink = (sentence: string, actionLabel = t('commands.name.relink')): ErrorWords => ({
  sentence,
  action: 'relink',
  actionLabel,
})
const showCertificate = (sentence: string): ErrorWords => ({
  sentence,
  action: 'certificate',
  actionLabel: t('transfer.action.certificate'),
})
const editPlace = (sentence: string): ErrorWords => ({
  sentence,
  action: 'edit-place',
  actionLabel: t('commands.name.edit-place'),
})
const unlockKeyring = (sentence: string): ErrorWords => ({
  sentence,
  action: 'unlock-keyring',
  actionLabel: t('transfer.action.unlock-keyring'),
})
const startOver = (sentence: string, actionLabel: string): ErrorWords => ({
  sentence,
  action: 'start-over',
  actionLabel,
})
