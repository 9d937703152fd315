import { MIB } from '../../shared/limits.ts'
import type { TransferErrorCode } from '../../shared/transfer/transfer-error.ts'
import type { Verification } from '../../shared/transfer/transfer.ts'
import { rangeOf, type Fault, type FaultRule, type RequestMatch } from '../support/fault-server/fault-rules.ts'

/** Size of the object that every case downloads. */
export const SIZE = 10 * MIB + 5

/** One way in which one row of the fault matrix happens, and what must come of it. */
export interface FaultCase {
  readonly name: string
  /** Of another object than of `SIZE` bytes. */
  readonly sizeBytes?: number
  /** `endpoint` is the proxy's address. */
  readonly rules: (endpoint: string) => readonly FaultRule[]
  readonly asLink?: boolean
  /** The rules begin after a pause with some bytes there already. */
  readonly onResume?: boolean
  /** Its watchdog takes a minute, which is skipped. */
  readonly isSlow?: boolean
  readonly ends: Verification | TransferErrorCode
  /** What a person reads meanwhile or at the end: history, row or error. */
  readonly says?: RegExp
  /** How many bytes a single connection may fetch twice at most, and several twice as many; left out: any. */
  readonly wastesBytes?: number
  /** Requests that it may take; left out: 60. */
  readonly mostRequests?: number
}

/** Requests for bytes in the middle of the object. */
export const middle: RequestMatch = { method: 'GET', covers: 9 * MIB + 1 }
export const get: RequestMatch = { method: 'GET' }
export const ranged: RequestMatch = { method: 'GET', ranged: true }

/** Requests for a range that does not begin with the object, and those for one that does. */
export const later: RequestMatch = { method: 'GET', test: (request) => (rangeOf(request)?.first ?? 0) > 0 }
export const first: RequestMatch = { method: 'GET', test: (request) => rangeOf(request)?.first === 0 }

export const once = (fault: Fault, when = middle) => [{ when, times: 1, fault }]
export const always = (fault: Fault, when = get) => [{ when, fault }]
export const contentRange = (value: string | null): Fault => ({ kind: 'headers', set: { 'Content-Range': value } })
export const refusal = (status: number, code: string, message = ''): Fault => ({
  kind: 'response',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ Error: { Code: code, Message: message } }),
})
/** What a network that wants a sign-in first answers to any request. */
export const LOGIN_PAGE = {
  kind: 'response',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Hotel</title>Sign in',
} as const satisfies Fault
export const busy = (status: number, headers: Readonly<Record<string, string>>): Fault => ({
  kind: 'response',
  status,
  headers,
})

export const DONE = 'etag-md5'
export const LOST = /connection was lost|ended early|shorter than/i
export const OTHER_BYTES = /response does not match the request/
export const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
/** What a break may cost: what was on its way in the connections. */
export const IN_FLIGHT = 2 * MIB

type Variant = Omit<FaultCase, 'rules' | 'name'>
export const cases = (
  shared: Variant,
  faults: Readonly<Record<string, readonly FaultRule[] | ((endpoint: string) => readonly FaultRule[])>>,
): FaultCase[] =>
  Object.entries(faults).map(([name, rules]) => ({
    name,
    ...shared,
    rules: typeof rules === 'function' ? rules : () => rules,
  }))
