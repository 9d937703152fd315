/** What can keep a request from being answered. These codes must not change: scripts read them. */
export const WAIT_CAUSE_CODES = [
  'unknown-host',
  'look-up-failed',
  'connection-refused',
  'no-route',
  'kept-out',
  'connect-timeout',
  'no-descriptors',
  'no-answer',
  'answer-stalled',
  'connection-lost',
  'not-http',
  'bad-answer',
  'web-page',
  'proxy-could-not-connect',
  'keys-awaited',
  'http-status',
] as const

export type WaitCauseCode = (typeof WAIT_CAUSE_CODES)[number]

/** Why a request has to be repeated. */
export interface WaitCause {
  readonly code: WaitCauseCode
  /** The `host:port` of the service or proxy that was asked; null if an answer came and its sender is obvious. */
  readonly host: string | null
  /** Null when no answer came. */
  readonly httpStatus: number | null
}

const UNREACHABLE = [
  'unknown-host',
  'look-up-failed',
  'connection-refused',
  'no-route',
  'kept-out',
] as const satisfies readonly WaitCauseCode[]

type UnreachableCause = WaitCause & { readonly code: (typeof UNREACHABLE)[number] }

/** Whether there is nothing to talk to: a connection could not even be tried, or it was refused. */
export function isUnreachableCause(cause: WaitCause): cause is UnreachableCause {
  return UNREACHABLE.some((code) => code === cause.code)
}
