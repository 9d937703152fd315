import { placeAddress, type Place, type PlaceId, type PlaceSecrets } from '../../../shared/place/place.ts'
import { keyringLocked, secretUnknown, type CredentialStore } from '../persistence/credential-store.ts'
import { RequestError } from '../requests/request-error.ts'
import type { StoredPlace } from './place-records.ts'
import { createProfileCredentials, type CredentialSource, type StoreConnection } from '../../stores/index.ts'
import { message } from '../../../shared/language/message.ts'

type KeyedPlace = Pick<Place, 'endpoint' | 'signature' | 'accessKeyId' | 'profile'>
type Keys = Pick<StoreConnection, 'credentials' | 'credentialSource'>
type SealedSecrets = Pick<StoredPlace, 'sealedSecret' | 'sealedToken'>

/** The secrets of all places, in the main process only. */
export interface PlaceKeys {
  /** What signs for a place. Throws StoreError when its secret is not known here or the keyring can't be opened. */
  of(place: StoredPlace): Keys
  /** Why nothing can sign for a place, as far as that is known before use; an empty object when something can. */
  lack(place: StoredPlace): Pick<Place, 'lacksSecret' | 'isLocked'>
  /** Whether the place's secret is in memory only, and so lost when the app ends. */
  isUnsaved(place: StoredPlace | undefined): boolean
  /** What would sign for the place with these secrets. */
  with(place: KeyedPlace, secrets: PlaceSecrets | undefined): Keys
  /**
   * The secrets of an edited place. Without a new secret key the place keeps its own, and its token unless a new one is
   * given. Undefined: they can't be opened now. Throws RequestError when the kept secret is for another key or address.
   */
  merge(known: StoredPlace | undefined, place: KeyedPlace, given: PlaceSecrets): PlaceSecrets | undefined
  /** The secrets as they are stored. A sealed one stays until its replacement can be sealed or the key changes. */
  seal(known: StoredPlace | undefined, place: KeyedPlace, secrets: PlaceSecrets | undefined): SealedSecrets
  set(id: PlaceId, secrets: PlaceSecrets | undefined): void
  forget(id: PlaceId): void
}

/** Holds the secrets that couldn't be sealed, and opens those sealed in places when they are needed. */
export function createPlaceKeys(credentials: CredentialStore): PlaceKeys {
  const opened = new Map<PlaceId, PlaceSecrets>()
  const profiles = new Map<string, CredentialSource>()

  function secretsOf(place: StoredPlace): PlaceSecrets | undefined {
    const secrets = opened.get(place.id) ?? openSealed(place, credentials)
    if (secrets !== undefined) opened.set(place.id, secrets)
    return secrets
  }

  /** All places of a profile share one source, so the profile is read, and signed in to, once. */
  function profileKeys(profile: string): CredentialSource {
    const source = profiles.get(profile) ?? createProfileCredentials(profile)
    profiles.set(profile, source)
    return source
  }

  const isLocked = ({ sealedSecret }: StoredPlace): boolean => sealedSecret !== null && credentials.state() !== 'ready'

  function keysWith({ signature, accessKeyId, profile }: KeyedPlace, known: PlaceSecrets | undefined): Keys {
    if (signature === 'none') return { credentials: null }
    if (profile !== '') return { credentials: null, credentialSource: profileKeys(profile) }
    if (known === undefined || known.secretAccessKey === '') {
      throw secretUnknown('The key of this place isn’t saved on this computer')
    }
    const { secretAccessKey, sessionToken } = known
    return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) } }
  }

  return {
    of: (place) => {
      const secrets = secretsOf(place)
      if (secrets === undefined && needsSecret(place) && isLocked(place)) {
        throw keyringLocked()
      }
      return keysWith(place, secrets)
    },
    lack: (place) => {
      if (!needsSecret(place) || (secretsOf(place)?.secretAccessKey ?? '') !== '') return {}
      return isLocked(place) ? { lacksSecret: true, isLocked: true } : { lacksSecret: true }
    },
    isUnsaved: (place) =>
      place?.sealedSecret === null && needsSecret(place) && (opened.get(place.id)?.secretAccessKey ?? '') !== '',
    with: keysWith,
    merge: (known, place, given) => {
      if (given.secretAccessKey !== '' || known === undefined || !needsSecret(place)) return given
      const secrets = secretsOf(known)
      const hasSecret = known.sealedSecret !== null || (secrets?.secretAccessKey ?? '') !== ''
      // A secret is only ever used for the service that it was entered for.
      if (hasSecret && !isSameKey(known, place)) {
        throw new RequestError(message('services.place.key-moved'))
      }
      return secrets === undefined || given.sessionToken === ''
        ? secrets
        : { ...secrets, sessionToken: given.sessionToken }
    },
    seal: (known, place, secrets) => {
      const kept = known !== undefined && isSameKey(known, place) ? known : NOTHING_SEALED
      if (secrets === undefined || secrets.secretAccessKey === '') return kept
      const sealedSecret = credentials.seal(secrets.secretAccessKey)
      if (sealedSecret === null) return kept
      return { sealedSecret, sealedToken: secrets.sessionToken === '' ? null : credentials.seal(secrets.sessionToken) }
    },
    set: (id, secrets) => void (secrets === undefined ? opened.delete(id) : opened.set(id, secrets)),
    forget: (id) => void opened.delete(id),
  }
}

const NOTHING_SEALED: SealedSecrets = { sealedSecret: null, sealedToken: null }

function openSealed(
  { sealedSecret, sealedToken }: StoredPlace,
  credentials: CredentialStore,
): PlaceSecrets | undefined {
  const secretAccessKey = sealedSecret === null ? null : credentials.open(sealedSecret)
  const sessionToken = sealedToken === null ? '' : credentials.open(sealedToken)
  return secretAccessKey === null || sessionToken === null ? undefined : { secretAccessKey, sessionToken }
}

function needsSecret({ signature, profile }: KeyedPlace): boolean {
  return signature !== 'none' && profile === ''
}

/** Whether both places are at one address and need the secret of the same access key, or neither needs one. */
function isSameKey(one: KeyedPlace, other: KeyedPlace): boolean {
  return (
    needsSecret(one) === needsSecret(other) &&
    one.accessKeyId === other.accessKeyId &&
    placeAddress(one) === placeAddress(other)
  )
}
