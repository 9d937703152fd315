// Turns status, code and body of a refusal into one StoreError, whether a service or something in front of it refused.

import { parseJson } from '../../../shared/parse-json.ts'
import { isOwnCode, STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseRetryAfter } from './header-values.ts'
import { parseXml } from './xml.ts'

/** Returns the id that the service gave a request, in either dialect's header; null when it gave none. */
export function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>): string | null {
  return headers.get('x-storage-request-id') ?? headers.get('x-amz-request-id') ?? null
}

/** A response that is not an object's content is rejected if it is longer than this (bytes). */
const MAX_MESSAGE_BYTES = 1024 * 1024
/** What a status means if the body names no code. 511 is sent by the network, never by a server (RFC 6585, 6). */
const CODES_BY_STATUS: Readonly<Record<number, string>> = { 507: 'InsufficientStorage', 511: STORE_ERROR.networkSignIn }
const MAX_QUOTED_CHARACTERS = 500
const CODE = /^[\w.-]{1,100}$/

/** What an error body says; members that it lacks are null. */
interface ServiceError {
  readonly code: string
  readonly message: string | null
  readonly requestId: string | null
}

/** Reads a body that is a message, not content. Throws a BadAnswer StoreError if it is longer than `maxBytes`. */
export async function readMessage(response: HttpResponse, maxBytes = MAX_MESSAGE_BYTES): Promise<string> {
  const blocks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const bytes of response.body) {
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw badResponse(response, `a message of more than ${maxBytes} bytes`)
    // The connection reuses the block for the next bytes.
    blocks.push(Uint8Array.from(bytes))
  }
  return Buffer.concat(blocks).toString('utf8')
}

/** The error of a response that is not what the operation promises; `operation` is the operation's name, if known. */
export function badResponse(response: HttpResponse & { readonly operation?: string }, what: string): StoreError {
  const { operation = 'The request', status } = response
  return new StoreError(STORE_ERROR.badAnswer, `${operation} returned ${status} with ${what}`, {
    httpStatus: response.status,
    requestId: requestIdOf(response),
  })
}

/**
 * Finds the error in a body: JSON with the members inside `Error` or at the top, capitalized or not, or XML of the same
 * shape (docs/dialect.md, Errors). Returns null when there is none.
 */
function parseServiceError(text: string): ServiceError | null {
  const member = text.trimStart().startsWith('<') ? xmlMembers(text) : jsonMembers(text)
  const code = member('Code')
  // Our own codes lead a person to settings of this computer, so a service may not use them.
  return code === null || !CODE.test(code) || isOwnCode(code)
    ? null
    : { code, message: member('Message'), requestId: member('RequestId') }
}

type Members = (name: string) => string | null

function jsonMembers(text: string): Members {
  const top = parseJsonObject(text) ?? {}
  const nested = byLowerName(top).get('error')
  const members = byLowerName(isObject(nested) ? nested : top)
  return (name) => {
    const value = members.get(name.toLowerCase())
    return typeof value === 'string' && value !== '' ? value : null
  }
}

function byLowerName(value: Record<string, unknown>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
}

function xmlMembers(text: string): Members {
  const root = parseXml(text)
  const nested = root?.children.find(({ name }) => name.toLowerCase() === 'error')
  const members = [...(nested?.children ?? []), ...(root?.children ?? [])]
  return (name) => {
    const member = members.find((each) => each.name.toLowerCase() === name.toLowerCase())
    return member?.text.trim() || null
  }
}

/** Returns the JSON object that `text` holds, surrounding white space allowed; null when it holds anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the StoreError of an error response. Reads the response's body; an unreadable body counts as none. Throws
 * `signal.reason` when aborted meanwhile.
 */
export async function errorOfResponse(
  response: HttpResponse,
  operation: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<StoreError> {
  const text = await readMessage(response).catch(() => '')
  signal.throwIfAborted()
  return errorOfRefusal(response, text, operation, nowMs)
}

/** Returns the StoreError of an error response with this body. */
export function errorOfRefusal(response: HttpResponse, text: string, operation: string, nowMs: number): StoreError {
  return refusal(response, operation, nowMs, parseServiceError(text))
}

/** Returns the StoreError that a body names; null when it names none. */
export function errorOfText(response: HttpResponse, text: string, operation: string, nowMs: number): StoreError | null {
  const found = parseServiceError(text)
  return found === null ? null : refusal(response, operation, nowMs, found)
}

function refusal(response: HttpResponse, operation: string, nowMs: number, found: ServiceError | null): StoreError {
  const { status, headers } = response
  const code = found?.code ?? CODES_BY_STATUS[status] ?? STORE_ERROR.unnamed
  const words = found?.message
    ? `: ${withoutSecrets(found.message.slice(0, 2 * MAX_QUOTED_CHARACTERS)).slice(0, MAX_QUOTED_CHARACTERS)}`
    : ''
  return new StoreError(code, `${operation} returned ${status} ${code}${words}`, {
    httpStatus: status,
    requestId: requestIdOf(response) ?? found?.requestId ?? null,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), headers.get('date'), nowMs),
    // Only a refusal written by the service itself proves that it did nothing.
    maybeProcessed: found === null || status < 400 || status >= 500,
  })
}

/** A service may echo the request, including queries with signatures and tokens. */
function withoutSecrets(message: string): string {
  return message
    .replace(/\?[^\s"'<>]*=[^\s"'<>]*/g, '?…')
    .replace(/((?:signature|token|credential|password|secret)\w*["']?\s*[:=]\s*)[^\s&]+/gi, '$1…')
}

/** The StoreError of a redirect that is not followed; names only the scheme and host of its target. */
export function redirectError(response: HttpResponse, operation: string, base: string): StoreError {
  const location = response.headers.get('location')
  const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : null
  const target = url === null ? 'nowhere' : `${url.protocol}//${url.host}`
  return new StoreError(STORE_ERROR.redirect, `${operation} was redirected to ${target} (${response.status})`, {
    httpStatus: response.status,
    requestId: requestIdOf(response),
  })
}

/** Leaves the body of a response unread. */
export async function leave(response: HttpResponse): Promise<void> {
  await response.body.return?.()
}
