/** A name and a password for one origin alone. */
export interface LinkSignIn {
  readonly user: string
  readonly password: string
}

/**
 * A link as it may be stored and shown, and the sign-in that stood in it; null: none did. Throws TypeError for no URL.
 * Pure.
 */
export function splitSignIn(link: string): { readonly url: string; readonly signIn: LinkSignIn | null } {
  const url = new URL(link)
  const { username, password } = url
  if (username === '' && password === '') return { url: link, signIn: null }
  url.username = ''
  url.password = ''
  return { url: url.href, signIn: { user: decoded(username), password: decoded(password) } }
}

/** The header field that signs in (RFC 7617, in UTF-8). */
export function basicAuthorization({ user, password }: LinkSignIn): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
