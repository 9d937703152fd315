// Takes out of a text what is nobody else's business.

/** Takes out what may be a secret: Authorization values, queries and user names of links, and named secrets. Pure. */
export function redact(text: string): string {
  return text
    .replace(/(authorization["']?\s*[:=]\s*)[^\r\n]*/gi, '$1[removed]')
    .replace(/(https?:\/\/)[^\s/@]*@/gi, '$1[removed]@')
    .replace(/(https?:\/\/[^\s?"'<>]*)\?[^\s"'<>]*/gi, '$1?[removed]')
    .replace(/((?:secret\w*|signature|password|token)["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, '$1[removed]')
}

/** A word as short as this may stand anywhere, without being the name that it is elsewhere. */
const MIN_NAME_LENGTH = 3

/**
 * Takes out `names`, and what names something by its look: addresses, and paths in quotation marks. `home` is the
 * folder of this person. Pure.
 */
export function hideNames(text: string, names: readonly string[], home: string): string {
  const known = [...new Set(names)].filter(({ length }) => length >= MIN_NAME_LENGTH)
  const longestFirst = known.sort((one, other) => other.length - one.length)
  const hidden = text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/(?!\/)[^\s"'<>)]*/gi, '[address]')
    .replace(/(['"“])(?:\/|[A-Za-z]:\\|\\\\)[^'"”\r\n]*(['"”])/g, '$1[path]$2')
  const withoutNames = longestFirst.reduce((rest, name) => rest.replaceAll(name, '[name]'), hidden)
  return home.length < MIN_NAME_LENGTH ? withoutNames : withoutNames.replaceAll(home, '~')
}
