// Removes from a text what is nobody else's business.

/**
 * Removes what may be secret: Authorization values, user names, queries and fragments of links, named secrets. Pure.
 */
export function redact(text: string): string {
  return text
    .replace(/(authorization["']?\s*[:=]\s*)[^\r\n]*/gi, '$1[removed]')
    .replace(/https?:\/\/\S+/gi, linkWithoutSecrets)
    .replace(/((?:secret\w*|signature|password|token)["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, '$1[removed]')
}

/** Takes all up to the next white space as one link: it may have quotation marks in it, with a secret after them. */
function linkWithoutSecrets(link: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:\/\/)([^/?#\\]*)(.*)$/is.exec(link) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const pathEnd = rest.search(/[?#]/)
  // Another link may follow directly.
  const path = (pathEnd === -1 ? rest : rest.slice(0, pathEnd)).replace(/https?:\/\/\S+/gi, linkWithoutSecrets)
  const end = pathEnd === -1 ? '' : `${rest.charAt(pathEnd)}[removed]`
  return `${scheme}${host === authority ? '' : '[removed]@'}${host}${path}${end}`
}
