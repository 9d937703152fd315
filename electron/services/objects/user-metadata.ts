import { isUtf8 } from 'node:buffer'

type Metadata = Readonly<Record<string, string>>

const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi

/**
 * Decodes user metadata. Header fields are read as one character per byte; Ceph and MinIO send UTF-8 in them, Amazon
 * sends encoded words (RFC 2047). Pure.
 */
export function readableMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, readable(value)]))
}

function readable(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString() : value
  // Blanks between two encoded words belong to the encoding, not to the value.
  return text.replace(/\?=\s+=\?/g, '?==?').replace(ENCODED_WORD, (_, how: string, word: string) => decoded(how, word))
}

function decoded(how: string, word: string): string {
  if (how.toLowerCase() === 'b') return Buffer.from(word, 'base64').toString()
  const bytes = word
    .replace(/_/g, ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
