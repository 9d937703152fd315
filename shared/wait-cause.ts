/** What can keep a request from being answered. Stable: scripts read them. */
export const WAIT_CAUSE_CODES = [
  'unknown-host',
  'look-up-failed',
  'connection-refused',
  'no-route',
  'kept-out',
  'connect-timeout',
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

/** Why something has to be asked for again. */
export interface WaitCause {
  readonly code: WaitCauseCode
  /** `host:port` of the service or proxy that was asked; null where an answer came and its sender is plain. */
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

/** Nothing is there to talk to: not even a connection could be tried, or it was refused. */
export function isUnreachableCause(cause: WaitCause): cause is UnreachableCause {
  return UNREACHABLE.some((code) => code === cause.code)
}
