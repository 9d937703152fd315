import { Buffer } from 'node:buffer'
import { ServiceError } from './service-error.ts'

// `ignoreBOM` keeps a leading U+FEFF: names are stored verbatim.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes a piece of a request target, in which Node lets only ASCII through. Throws InvalidArgument for malformed
 * escapes, NUL and invalid UTF-8 (docs/dialect.md, Requests).
 */
export function decodePercent(raw: string): string {
  const bytes = Buffer.alloc(raw.length)
  let length = 0
  for (let index = 0; index < raw.length; index++) {
    let byte = raw.charCodeAt(index)
    if (byte === 0x25) {
      const digits = raw.slice(index + 1, index + 3)
      if (!/^[0-9a-f]{2}$/i.test(digits)) throw new ServiceError('InvalidArgument', 'A percent escape is malformed.')
      byte = Number.parseInt(digits, 16)
      index += 2
    }
    if (byte === 0) throw new ServiceError('InvalidArgument', 'A name may not contain NUL.')
    bytes[length++] = byte
  }
  return decodeUtf8(bytes.subarray(0, length))
}

/** Like `decodePercent`, for query values, where a plus is a space (the HTML form encoding that URL libraries use). */
export function decodeQueryComponent(raw: string): string {
  return decodePercent(raw.replaceAll('+', ' '))
}

/** Percent-encodes a key by UTF-8 byte, except `/` and unreserved characters. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('InvalidArgument', 'A name is not valid UTF-8.')
  }
}
