// The lines of the journal file: how they are written, and how damaged or missing lines are detected.

import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** First line of every journal; a file with any other first line is not ours to touch. */
export const HEADER = '{"format":"sluice-demo-store","version":2}'
/** First line of journals whose other lines are plain JSON. */
export const HEADER_WITHOUT_CHECKSUMS = '{"format":"sluice-demo-store","version":1}'

/** A journal has lost confirmed entries, so what it held can't be known. The message is for a person. */
export class JournalDamaged extends Error {
  constructor(path: string, lineNumber: number) {
    super(
      `${path} is damaged in line ${lineNumber}; nothing was changed. Restore a copy of this file, or move its folder away to start over.`,
    )
    this.name = 'JournalDamaged'
  }
}

/**
 * Encodes one line with its newline: its number in the file (the header's is 1), a CRC-32 in hex over number and JSON,
 * and the JSON. The checksum reveals a damaged line, the number a missing one.
 */
export function encodeLine(lineNumber: number, entry: unknown): string {
  const json = JSON.stringify(entry)
  return `${lineNumber} ${checksumOf(lineNumber, json)} ${json}\n`
}

/** Decodes the number and entry of a line without its newline; null when it is damaged. */
export function decodeLine(text: string): { readonly lineNumber: number; readonly entry: unknown } | null {
  const [, number = '', checksum, json = ''] = /^(\d{1,15}) ([0-9a-f]{8}) (.*)$/s.exec(text) ?? []
  const lineNumber = Number(number)
  return checksum === checksumOf(lineNumber, json) ? { lineNumber, entry: JSON.parse(json) as unknown } : null
}

function checksumOf(lineNumber: number, json: string): string {
  return crc32(Buffer.from(`${lineNumber} ${json}`))
    .toString(16)
    .padStart(8, '0')
}
