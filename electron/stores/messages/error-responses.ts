// Responses that refuse: status, code and body become one StoreError, from a service or from what stands before it.

import { parseJson } from '../../../shared/parse-json.ts'
import { isOwnCode, STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseRetryAfter } from './header-values.ts'
import { parseXml } from './xml.ts'

/** The name that the service gave a request, in either dialect's header; null when it gave none. */
export function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>): string | null {
  return headers.get('x-storage-request-id') ?? headers.get('x-amz-request-id') ?? null
}

/** A longer response that is not an object's content is refused (bytes). */
const MAX_MESSAGE_BYTES = 1024 * 1024
/** What statuses say where the body names no code: 511 is of the network, never of a server (RFC 6585, 6). */
const CODES_BY_STATUS: Readonly<Record<number, string>> = { 507: 'InsufficientStorage', 511: STORE_ERROR.networkSignIn }
const MAX_QUOTED_CHARACTERS = 500
const CODE = /^[\w.-]{1,100}$/

/** What an error body says; null members were not there. */
interface ServiceError {
  readonly code: string
  readonly message: string | null
  readonly requestId: string | null
}

/** Reads a body that is a message, not content. Throws a BadAnswer StoreError above `maxBytes`. */
export async function readMessage(response: HttpResponse, maxBytes = MAX_MESSAGE_BYTES): Promise<string> {
  const blocks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const bytes of response.body) {
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw badResponse(response, `a message of more than ${maxBytes} bytes`)
    // The block is used again for the next bytes.
    blocks.push(Uint8Array.from(bytes))
  }
  return Buffer.concat(blocks).toString('utf8')
}

/** A response that is not what the operation promises; `operation` is its name, where it is known. */
export function badResponse(response: HttpResponse & { readonly operation?: string }, what: string): StoreError {
  const { operation = 'The request', status } = response
  return new StoreError(STORE_ERROR.badAnswer, `${operation} was answered ${status} with ${what}`, {
    httpStatus: response.status,
    requestId: requestIdOf(response),
  })
}

/**
 * Finds the error in a body: JSON with the members inside `Error` or at the top, capitalised or not, or XML of the
 * same shape (docs/dialect.md, Errors). Null when there is none.
 */
function parseServiceError(text: string): ServiceError | null {
  const member = text.trimStart().startsWith('<') ? xmlMembers(text) : jsonMembers(text)
  const code = member('Code')
  // What we say ourselves leads a person to settings of this computer: a service can't.
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

/** The JSON object that `text` holds, white space around it allowed; null when it holds anything else. */
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
 * The StoreError of a response that is an error. Reads its body; one that can't be read is as good as none. Throws
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

/** The StoreError of a response that is an error and has this body. */
export function errorOfRefusal(response: HttpResponse, text: string, operation: string, nowMs: number): StoreError {
  return refusal(response, operation, nowMs, parseServiceError(text))
}

/** The StoreError that a body names; null when it names none. */
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
  return new StoreError(code, `${operation} was answered ${status} ${code}${words}`, {
    httpStatus: status,
    requestId: requestIdOf(response) ?? found?.requestId ?? null,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), headers.get('date'), nowMs),
    // Only a refusal that the service itself wrote proves that it did nothing.
    maybeProcessed: found === null || status < 400 || status >= 500,
  })
}

/** A service may say back what it was asked, queries with a signature and tokens among it. */
function withoutSecrets(message: string): string {
  return message
    .replace(/\?[^\s"'<>]*=[^\s"'<>]*/g, '?…')
    .replace(/((?:signature|token|credential|password|secret)\w*["']?\s*[:=]\s*)[^\s&]+/gi, '$1…')
}

/** The StoreError of a redirect that is not followed; names only scheme and host of where it leads. */
export function redirectError(response: HttpResponse, operation: string, base: string): StoreError {
  const location = response.headers.get('location')
  const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : null
  const target = url === null ? 'nowhere' : `${url.protocol}//${url.host}`
  return new StoreError(STORE_ERROR.redirect, `${operation} was redirected to ${target} (${response.status})`, {
    httpStatus: response.status,
    requestId: requestIdOf(response),
  })
}

/** Leaves a response whose body is not wanted. */
export async function leave(response: HttpResponse): Promise<void> {
  await response.body.return?.()
}
