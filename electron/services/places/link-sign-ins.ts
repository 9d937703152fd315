// The secrets of links: sealed queries, which are part of the stored link, and names and passwords, which are not.

import { randomUUID } from 'node:crypto'
import { splitSignIn, type LinkSignIn } from '../../stores/index.ts'
import { openLink, type StoreLocation } from '../../engine/index.ts'
import { keyringLocked, secretUnknown, type CredentialStore } from '../persistence/credential-store.ts'

export type LinkLocation = Extract<StoreLocation, { kind: 'link' }>

/** The sign-ins of links, sealed like the keys of places, or kept in memory if there is no keyring. */
export interface LinkSignIns {
  /** The stored form of a link: its URL without a name or password. Throws TypeError if `link` is no URL. */
  readonly locate: (link: string) => LinkLocation
  /**
   * The complete URL and sign-in for a request. Throws StoreError when part of it isn't known here or the keyring can't
   * be opened.
   */
  readonly open: (location: LinkLocation) => { readonly url: string; readonly signIn: LinkSignIn | null }
  /** Whether the sign-in for this link, given as rows show it, is in memory only. */
  readonly isUnsaved: (shownLink: string) => boolean
}

/** Prefix of the name of a sign-in that is in memory only. It can't be a sealed one: base64 has no colon. */
const IN_MEMORY = 'memory:'
const NOT_SAVED = 'The secret part of this link isn’t saved on this computer'

export function createLinkSignIns(credentials: CredentialStore): LinkSignIns {
  const inMemory = new Map<string, LinkSignIn & { readonly shownLink: string }>()

  function seal(given: LinkSignIn, url: string): string {
    const sealed = credentials.seal(JSON.stringify([given.user, given.password]))
    if (sealed !== null) return sealed
    const name = IN_MEMORY + randomUUID()
    inMemory.set(name, { ...given, shownLink: shownLink(url) })
    return name
  }

  /** Returns what was opened. Throws when it could not be opened. */
  function required(opened: string | null): string {
    if (opened !== null) return opened
    throw credentials.state() === 'ready' ? secretUnknown(NOT_SAVED) : keyringLocked()
  }

  function signInOf(sealed: string | undefined): LinkSignIn | null {
    if (sealed === undefined) return null
    if (!sealed.startsWith(IN_MEMORY)) {
      const [user = '', password = ''] = JSON.parse(required(credentials.open(sealed))) as readonly string[]
      return { user, password }
    }
    const known = inMemory.get(sealed)
    if (known === undefined) throw secretUnknown(NOT_SAVED)
    return known
  }

  return {
    locate(link) {
      const { url, signIn } = splitSignIn(link)
      // Requests carry no fragment, and in stored links a fragment marks a sealed query.
      const asked = url.replace(/#.*$/s, '')
      return { kind: 'link', url: asked, ...(signIn === null ? {} : { signIn: seal(signIn, asked) }) }
    },
    open: ({ url, signIn }) => ({ url: required(openLink(url, credentials)), signIn: signInOf(signIn) }),
    isUnsaved: (link) => [...inMemory.values()].some((known) => known.shownLink === link),
  }
}

/** A link as rows show it, without its query, which is often a signature. Throws TypeError if `url` is no URL. */
export function shownLink(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
