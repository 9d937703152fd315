import { percentDecoded } from '../../../shared/place/percent-decoded.ts'

/** A user name and password for one origin only. */
export interface LinkSignIn {
  readonly user: string
  readonly password: string
}

/**
 * Splits a link into the URL that may be stored and shown, and the sign-in it contained (null if none). Throws a
 * TypeError when it is not a URL. Pure.
 */
export function splitSignIn(link: string): { readonly url: string; readonly signIn: LinkSignIn | null } {
  const url = new URL(link)
  const { username, password } = url
  if (username === '' && password === '') return { url: link, signIn: null }
  url.username = ''
  url.password = ''
  return { url: url.href, signIn: { user: decodedOrRaw(username), password: decodedOrRaw(password) } }
}

/** Returns the header value that signs in (RFC 7617, in UTF-8). */
export function basicAuthorization({ user, password }: LinkSignIn): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function decodedOrRaw(text: string): string {
  return percentDecoded(text) ?? text
}
