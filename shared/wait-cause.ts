import { assertNever } from './assert.ts'

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

const UNREACHABLE: ReadonlySet<WaitCauseCode> = new Set([
  'unknown-host',
  'look-up-failed',
  'connection-refused',
  'no-route',
  'kept-out',
])

/** Nothing is there to talk to: not even a connection could be tried, or it was refused. */
export function isUnreachableCause({ code }: WaitCause): boolean {
  return UNREACHABLE.has(code)
}

/** What is to be done where a page answers instead of `name`, without the full stop. Pure. */
export function webPageWords(name: string): string {
  return `A web page answers instead of ${name}. Open a browser: this network may want you to sign in`
}

/** Where macOS lets a person allow an app the local network. */
const LOCAL_NETWORK =
  'macOS may keep apps out of the local network; allow it in System Settings > Privacy & Security > Local Network'

/** A cause after a colon: `connection refused`. Pure. */
export function causeWords({ code, httpStatus }: WaitCause): string {
  switch (code) {
    case 'unknown-host':
      return 'no such host'
    case 'look-up-failed':
      return 'its name could not be looked up'
    case 'connection-refused':
      return 'connection refused'
    case 'no-route':
      return 'no way there from this computer'
    case 'kept-out':
      return LOCAL_NETWORK
    case 'connect-timeout':
      return 'connecting took too long'
    case 'no-answer':
      return 'no answer came'
    case 'answer-stalled':
      return 'the answer stalled'
    case 'connection-lost':
      return 'the connection broke off'
    case 'not-http':
      return 'the answer is not HTTP'
    case 'bad-answer':
      return 'the answer makes no sense'
    case 'web-page':
      return 'a web page came instead'
    case 'proxy-could-not-connect':
      return httpStatus === null ? 'it could not connect' : `it could not connect (${String(httpStatus)})`
    case 'http-status':
      return `status ${String(httpStatus)}`
    default:
      return assertNever(code)
  }
}
