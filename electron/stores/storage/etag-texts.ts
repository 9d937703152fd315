import { unquoteEtag } from '../messages/header-values.ts'

/**
 * How a service writes ETags: with quotes, as HTTP requires, or without. A part must be named to the service by the
 * exact text it returned (docs/dialect.md, Documented), while all other code compares ETags without quotes.
 */
export interface EtagTexts {
  /** Learns from the text of a part's ETag. */
  learn(text: string | undefined): void
  /** Returns an ETag as the service writes it. */
  textOf(etag: string): string
}

/** Assumes quotes, as in HTTP, until the service shows otherwise. */
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
