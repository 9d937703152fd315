import type { Place, PlaceId, PlaceSecrets } from '../../../shared/place/place.ts'
import type { CredentialStore } from '../common/credential-store.ts'
import type { StoredPlace } from './place-records.ts'
import { createProfileCredentials, type CredentialSource, type StoreConnection } from '../../stores/index.ts'
import { StoreError } from '../../stores/port/store-error.ts'

type KeyedPlace = Pick<Place, 'signature' | 'accessKeyId' | 'profile'>
type Keys = Pick<StoreConnection, 'credentials' | 'credentialSource'>

/** The secrets of all places, in the main process only. */
export interface PlaceKeys {
  /** What signs for a place. Throws a StoreError InvalidAccessKeyId when its secret is not known here. */
  of(place: KeyedPlace & { readonly id: PlaceId }): Keys
  /** Whether there is what signs for a place, as far as that is known before it is used. */
  has(place: KeyedPlace & { readonly id: PlaceId }): boolean
  /** What would sign with these secrets. */
  with(place: KeyedPlace, secrets: PlaceSecrets): Keys
  /** New secrets of a place; without a secret key it keeps the one it has, and its token unless there is a new one. */
  merge(id: PlaceId | null, given: PlaceSecrets): PlaceSecrets
  /** As they are kept: null where there is none, or no keyring. */
  seal(secrets: PlaceSecrets): Pick<StoredPlace, 'sealedSecret' | 'sealedToken'>
  set(id: PlaceId, secrets: PlaceSecrets): void
  forget(id: PlaceId): void
}

/** Opens the sealed secrets of these places, as far as they can be opened here. */
export function createPlaceKeys(places: readonly StoredPlace[], credentials: CredentialStore): PlaceKeys {
  const secrets = new Map<PlaceId, PlaceSecrets>()
  const profiles = new Map<string, CredentialSource>()
  for (const { id, sealedSecret, sealedToken } of places) {
    const secretAccessKey = sealedSecret === null ? null : credentials.open(sealedSecret)
    const sessionToken = sealedToken === null ? '' : credentials.open(sealedToken)
    if (secretAccessKey !== null && sessionToken !== null) secrets.set(id, { secretAccessKey, sessionToken })
  }

  /** One for all places of a profile: it is read, and signed in to, once. */
  function profileKeys(profile: string): CredentialSource {
    const source = profiles.get(profile) ?? createProfileCredentials(profile)
    profiles.set(profile, source)
    return source
  }

  function keysWith({ signature, accessKeyId, profile }: KeyedPlace, known: PlaceSecrets | undefined): Keys {
    if (signature === 'none') return { credentials: null }
    if (profile !== '') return { credentials: null, credentialSource: profileKeys(profile) }
    if (known === undefined || known.secretAccessKey === '') {
      const words = 'The key of the place is not known on this computer any more'
      throw new StoreError('InvalidAccessKeyId', words, { maybeProcessed: false })
    }
    const { secretAccessKey, sessionToken } = known
    return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) } }
  }

  return {
    of: (place) => keysWith(place, secrets.get(place.id)),
    has: ({ id, signature, profile }) => {
      const needsSecret = signature !== 'none' && profile === ''
      return !needsSecret || (secrets.get(id)?.secretAccessKey ?? '') !== ''
    },
    with: keysWith,
    merge: (id, given) => {
      const known = id === null ? undefined : secrets.get(id)
      if (given.secretAccessKey !== '' || known === undefined) return given
      return given.sessionToken === '' ? known : { ...known, sessionToken: given.sessionToken }
    },
    seal: ({ secretAccessKey, sessionToken }) => ({
      sealedSecret: secretAccessKey === '' ? null : credentials.seal(secretAccessKey),
      sealedToken: sessionToken === '' ? null : credentials.seal(sessionToken),
    }),
    set: (id, given) => void secrets.set(id, given),
    forget: (id) => void secrets.delete(id),
  }
}
