// Names and passwords that links came with, kept apart from the links.

import { randomUUID } from 'node:crypto'
import { splitSignIn, type LinkSignIn } from '../../stores/index.ts'
import type { StoreLocation } from '../../engine/index.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { CredentialStore } from './credential-store.ts'

export type LinkLocation = Extract<StoreLocation, { kind: 'link' }>

/** The sign-ins of links, sealed like the keys of places, or in memory where there is no keyring. */
export interface LinkSignIns {
  /** A link as it is stored: without a name or password in it. Throws TypeError for no URL. */
  readonly locate: (link: string) => LinkLocation
  /** Null: it has none. Throws a StoreError when it isn't known here, or its keyring can't be opened: nothing may be asked. */
  readonly of: (location: LinkLocation) => LinkSignIn | null
}

/** Stands for a sign-in that is in memory only; base64 has no colon. */
const IN_MEMORY = 'memory:'

export function createLinkSignIns(credentials: CredentialStore): LinkSignIns {
  const inMemory = new Map<string, LinkSignIn>()

  function seal(given: LinkSignIn): string {
    const sealed = credentials.seal(JSON.stringify([given.user, given.password]))
    if (sealed !== null) return sealed
    const name = IN_MEMORY + randomUUID()
    inMemory.set(name, given)
    return name
  }

  function open(sealed: string): LinkSignIn {
    const text = credentials.open(sealed)
    if (text === null && credentials.state() !== 'ready') {
      throw new StoreError(STORE_ERROR.keyringLocked, 'The keyring can’t be opened now', { maybeProcessed: false })
    }
    if (text === null) throw unknownSignIn()
    const [user = '', password = ''] = JSON.parse(text) as readonly string[]
    return { user, password }
  }

  return {
    locate(link) {
      const { url, signIn } = splitSignIn(link)
      return { kind: 'link', url, ...(signIn === null ? {} : { signIn: seal(signIn) }) }
    },
    of({ signIn }) {
      if (signIn === undefined) return null
      if (!signIn.startsWith(IN_MEMORY)) return open(signIn)
      const known = inMemory.get(signIn)
      if (known === undefined) throw unknownSignIn()
      return known
    },
  }
}

function unknownSignIn(): StoreError {
  const words = 'The sign-in of this link isn’t saved on this computer'
  return new StoreError('InvalidAccessKeyId', words, { maybeProcessed: false })
}
