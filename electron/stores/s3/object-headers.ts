import type { HttpResponse } from '../http/exchange.ts'
import type { ObjectMetadata } from '../port/object-store.ts'

const PREFIX = 'x-amz-meta-'

/** Formats user metadata as headers. */
export function metadataHeaders(metadata: ObjectMetadata = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [PREFIX + name.toLowerCase(), value]))
}

/** Reads user metadata from an object's headers. */
export function metadataOf({ headers }: Pick<HttpResponse, 'headers'>): ObjectMetadata {
  const found = [...headers].filter(([name]) => name.startsWith(PREFIX))
  return Object.fromEntries(found.map(([name, value]) => [name.slice(PREFIX.length), value]))
}

/** Returns the condition that the key is not taken. */
export function ifAbsentHeader(isWanted: boolean): Readonly<Record<string, string>> {
  return isWanted ? { 'if-none-match': '*' } : {}
}
