import { assertNever } from '../assert.ts'
import { causeWords, webPageWords, type WaitCause } from '../wait-cause.ts'
import type { WaitReason } from './transfer.ts'

/**
 * Why a transfer waits for the service `name` or a proxy, without the full stop: `Can’t reach Studio: no such host`.
 * Pure.
 */
export function waitWords(reason: ServiceReason, cause: WaitCause | null, name: string): string {
  const status = cause?.httpStatus == null ? '' : ` (${String(cause.httpStatus)})`
  switch (reason) {
    case 'network':
      if (cause?.code === 'web-page') return webPageWords(name)
      return `Can’t reach ${name}${cause === null ? '' : `: ${causeWords(cause)}`}`
    case 'proxy':
      if (cause?.code === 'proxy-could-not-connect') return `The proxy can’t reach ${name}${status}`
      return cause === null
        ? 'Can’t reach the proxy'
        : `Can’t reach the proxy ${cause.host ?? ''}: ${causeWords(cause)}`
    case 'server-busy':
      return `Server busy${status}`
    case 'server-error':
      return cause === null ? 'The server stopped answering' : `The server has a problem${status}`
    default:
      return assertNever(reason)
  }
}

/** What a service, or the way there, makes a transfer wait for. */
export type ServiceReason = Exclude<WaitReason, 'disk-full' | 'target-unwritable' | 'source-missing'>

export function isOfService(reason: WaitReason): reason is ServiceReason {
  return reason !== 'disk-full' && reason !== 'target-unwritable' && reason !== 'source-missing'
}
