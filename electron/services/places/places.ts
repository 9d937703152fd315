import { randomUUID } from 'node:crypto'
import { placeIdentity, type AwsProfile, type NewPlace, type Place, type PlaceId } from '../../../shared/place/place.ts'
import type { PlaceCheck } from '../../../shared/place/place-check.ts'
import type { CredentialStore } from '../persistence/credential-store.ts'
import { DEMO_PLACE_ID, type DemoHost } from './demo-place.ts'
import type { StoreLocation } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { createLinkSignIns, type LinkLocation, type LinkSignIns } from './link-sign-ins.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { checkPlace } from './check-place.ts'
import { createPlaceKeys } from './place-secrets.ts'
import { createOpenStores, type StoreMaker } from './open-stores.ts'
import { loadStoredPlaces, type StoredPlace } from './place-records.ts'
import type { Network } from '../../stores/network/network.ts'
import { createStore, createUrlStore, readProfiles, type StoreConnection } from '../../stores/index.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { message } from '../../../shared/language/message.ts'

export interface Places {
  readonly list: () => readonly Place[]
  /** Throws RequestError when a place with the same service, bucket and access key already exists. */
  readonly add: (place: NewPlace) => Promise<Place>
  /**
   * Like `add`, with the secrets of the place with this id if those given are empty. Throws RequestError also when
   * there is no such place, or its secret belongs to another address or key.
   */
  readonly duplicate: (id: PlaceId, place: NewPlace) => Promise<Place>
  /**
   * Keeps the place's secrets if those given are empty. Throws RequestError when there is no such place, or its secret
   * belongs to another address or key.
   */
  readonly edit: (id: PlaceId, place: NewPlace) => Promise<Place>
  /** Tries a place as it would be after adding it, or with an id after editing it. Keeps nothing. */
  readonly check: (id: PlaceId | null, place: NewPlace) => Promise<PlaceCheck>
  /** Places not named in `ids` come last, in their present order. */
  readonly reorder: (ids: readonly PlaceId[]) => Promise<readonly Place[]>
  readonly profiles: () => Promise<readonly AwsProfile[]>
  readonly remove: (id: PlaceId) => Promise<void>
  /** Throws RequestError when there is no such place. */
  readonly require: (id: PlaceId) => Place
  /** Whether the place's key is lost when the app ends because there is no keyring; a person must enter it again. */
  readonly losesKey: (id: PlaceId) => boolean
  /** The same for the user name and password of a link, given as rows show it. */
  readonly losesSignIn: (shownLink: string) => boolean
  /** The same store for the same place or link. Throws StoreError if the place, its key or its sign-in is unknown. */
  readonly openStore: (location: StoreLocation) => ObjectStore
  /** The stored form of a link, its sign-in sealed. Throws TypeError if `link` is no URL. */
  readonly locateLink: (link: string) => LinkLocation
  /** How to reach the service of a place; the bucket may be empty. Throws StoreError like `openStore`. */
  readonly connectionOf: (id: PlaceId) => StoreConnection
  /** For use after sleep: connections that look alive may be dead. */
  readonly dropConnections: () => void
  readonly close: () => Promise<void>
}

interface PlacesDeps {
  readonly values: NamedValues
  readonly credentials: CredentialStore
  readonly demo: DemoHost
  /** Wraps the demo store to slow down uploads of the sample. */
  readonly decorateDemo: (store: ObjectStore) => ObjectStore
  /** The way to every place except the demo store. */
  readonly network: Network
}

/** Loads the places that a person added, and the demo store. Secrets stay here, sealed on disk or in memory only. */
export async function loadPlaces({ values, credentials, demo, decorateDemo, network }: PlacesDeps): Promise<Places> {
  const { all, update } = await loadStoredPlaces(values)
  const keys = createPlaceKeys(credentials)
  const signIns = createLinkSignIns(credentials)
  const { forget, ...stores } = createOpenStores(storeMaker(connectionOf, { decorateDemo, network, signIns }))

  function list(): readonly Place[] {
    return [demo.place, ...all().map((place) => ({ ...toPlace(place), ...keys.lack(place) }))]
  }

  const stored = (id: PlaceId | null) => all().find((candidate) => candidate.id === id)

  function connectionOf(id: PlaceId): StoreConnection {
    if (id === DEMO_PLACE_ID) return demo.connection
    const place = stored(id)
    if (place === undefined) {
      throw new StoreError(STORE_ERROR.placeRemoved, 'The place was removed', { maybeProcessed: false })
    }
    return { ...place, ...keys.of(place), network }
  }

  /** `known`: the place whose secrets stay if none are given. */
  async function keep(
    within: typeof added,
    id: PlaceId,
    { secretAccessKey, sessionToken, ...place }: NewPlace,
    known?: StoredPlace,
  ): Promise<Place> {
    const secrets = keys.merge(known, place, { secretAccessKey, sessionToken })
    const { sealedSecret, sealedToken } = keys.seal(known, place, secrets)
    const changed: StoredPlace = { ...place, id, sealedSecret, sealedToken }
    await update((places) => within(places, changed))
    keys.set(id, secrets)
    forget(id)
    return toPlace(changed)
  }

  function require(id: PlaceId): Place {
    const place = list().find((candidate) => candidate.id === id)
    if (place === undefined) throw new RequestError(message('services.place.removed'))
    return place
  }

  function ownOf(id: PlaceId): StoredPlace | undefined {
    if (require(id).isDemo) throw new RequestError(message('services.place.demo-fixed'))
    return stored(id)
  }

  return {
    ...{ list, require },
    add: (place) => keep(added, randomUUID(), place),
    duplicate: async (id, place) => keep(added, randomUUID(), place, ownOf(id)),
    edit: async (id, place) => keep(edited, id, place, ownOf(id)),
    check: async (id, { secretAccessKey, sessionToken, ...place }) => {
      const known = stored(id)
      const secrets = keys.merge(known, place, { secretAccessKey, sessionToken })
      if (secrets === undefined && known !== undefined && keys.lack(known).isLocked === true) {
        throw new RequestError(message('services.place.locked'))
      }
      return checkPlace({ ...place, ...keys.with(place, secrets), network }, place)
    },
    reorder: async (ids) => {
      await update((places) => ordered(places, ids))
      return list()
    },
    profiles: () => readProfiles(),
    remove: async (id) => {
      await update((places) => places.filter((place) => place.id !== id))
      keys.forget(id)
      forget(id)
    },
    losesKey: (id) => keys.isUnsaved(stored(id)),
    losesSignIn: signIns.isUnsaved,
    connectionOf,
    locateLink: signIns.locate,
    ...stores,
  }
}

function storeMaker(
  connectionOf: Places['connectionOf'],
  { decorateDemo, network, signIns }: Pick<PlacesDeps, 'decorateDemo' | 'network'> & { readonly signIns: LinkSignIns },
): StoreMaker {
  return {
    place: (id, bucket) => {
      const store = createStore({ ...connectionOf(id), bucket })
      return id === DEMO_PLACE_ID ? decorateDemo(store) : store
    },
    link: (location) => {
      const { url, signIn } = signIns.open(location)
      return createUrlStore(url, network, signIn)
    },
  }
}

/** Looks at the places as they are when the change's turn comes, as earlier changes may have added or removed some. */
function added(places: readonly StoredPlace[], place: StoredPlace): readonly StoredPlace[] {
  const same = places.find((other) => placeIdentity(other) === placeIdentity(place))
  if (same !== undefined) throw new RequestError(message('services.place.same', { name: same.name }))
  return [...places, place]
}

function edited(places: readonly StoredPlace[], place: StoredPlace): readonly StoredPlace[] {
  if (places.every(({ id }) => id !== place.id)) throw new RequestError(message('services.place.removed'))
  return places.map((other) => (other.id === place.id ? place : other))
}

function ordered(places: readonly StoredPlace[], ids: readonly PlaceId[]): readonly StoredPlace[] {
  const rankOf = ({ id }: StoredPlace) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return [...places].sort((one, other) => rankOf(one) - rankOf(other))
}

function toPlace({ sealedSecret: _, sealedToken: __, ...place }: StoredPlace): Place {
  return { ...place, isDemo: false }
}
