import { unquoteEtag } from '../messages/header-values.ts'

/**
 * How a service writes ETags: with quotes, as HTTP wants it, or without. A part is named to it by the very text that it
 * gave (docs/dialect.md, Documented), while everybody else compares ETags without quotes.
 */
export interface EtagTexts {
  /** Learns from the text of a part's ETag. */
  learn(text: string | undefined): void
  /** The text of an ETag. */
  textOf(etag: string): string
}

/** Takes it for the way of HTTP until the service shows another. */
export function createEtagTexts(): EtagTexts {
  let isQuoted = true
  return {
    learn(text) {
      const etag = unquoteEtag(text)
      if (etag !== null) isQuoted = text?.trim() !== etag
    },
    textOf: (etag) => (isQuoted ? etag.replace(/^(W\/)?(.*)$/, '$1"$2"') : etag),
  }
}

/** Learns from a response to ListParts. @returns the same members. */
export function learnFromParts(
  members: Record<string, unknown> | null,
  etags: EtagTexts,
): Record<string, unknown> | null {
  const parts: unknown = members?.['Parts']
  const first: unknown = Array.isArray(parts) ? parts[0] : null
  const etag: unknown = typeof first === 'object' && first !== null && 'ETag' in first ? first.ETag : null
  if (typeof etag === 'string') etags.learn(etag)
  return members
}
