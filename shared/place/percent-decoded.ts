/** Decodes a percent-encoded text (RFC 3986, 2.1); null if an escape is malformed, or its bytes are not UTF-8. Pure. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
