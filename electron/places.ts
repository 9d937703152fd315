import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { NewPlace, Place, PlaceId } from '../shared/place.ts'
import type { CredentialStore } from './credential-store.ts'
import { DEMO_PLACE_ID, type DemoHost } from './demo-host.ts'
import type { StoreLocation } from './engine/index.ts'
import { RequestError } from './ipc/request-error.ts'
import { placeSchema } from './ipc/request-parsers.ts'
import type { NamedValues } from './named-values.ts'
import { createStore, createUrlStore, type StoreConnection } from './stores/index.ts'
import { DIRECT, type Network } from './stores/http/network.ts'
import type { ObjectStore } from './stores/object-store.ts'
import { StoreError } from './stores/store-error.ts'

const NAME = 'places'

const storedPlace = placeSchema.extend({ id: z.uuid(), sealedSecret: z.string().nullable() })
type StoredPlace = z.infer<typeof storedPlace>

export interface Places {
  readonly list: () => readonly Place[]
  /** A place added again (same service, bucket and access key) keeps its id and takes the new secret. */
  readonly add: (place: NewPlace) => Promise<Place>
  readonly remove: (id: PlaceId) => Promise<void>
  /** Throws RequestError when there is no such place. */
  readonly require: (id: PlaceId) => Place
  /** The same store for the same place or link. Throws StoreError when the place is gone or its key unknown. */
  readonly openStore: (location: StoreLocation) => ObjectStore
  /** After sleep: connections that look alive may not be. */
  readonly dropConnections: () => void
  readonly close: () => Promise<void>
}

interface PlacesDeps {
  readonly values: NamedValues
  readonly credentials: CredentialStore
  readonly demo: DemoHost
  /** Wraps the demo store, for the sample's pace. */
  readonly decorateDemo: (store: ObjectStore) => ObjectStore
  /** How all but the demo store are reached. */
  readonly network?: Network
}

/** The places that a person added, and the demo store. Secrets stay here: sealed on disk, or in memory only. */
export async function loadPlaces({
  values,
  credentials,
  demo,
  decorateDemo,
  network = DIRECT,
}: PlacesDeps): Promise<Places> {
  let places: readonly StoredPlace[] = (await values.read(NAME, z.array(storedPlace))) ?? []
  const secrets = new Map<PlaceId, string>()
  for (const { id, sealedSecret } of places) {
    const secret = sealedSecret === null ? null : credentials.open(sealedSecret)
    if (secret !== null) secrets.set(id, secret)
  }
  const stores = new Map<string, ObjectStore>()

  async function save(changed: readonly StoredPlace[]): Promise<void> {
    await values.write(NAME, changed)
    places = changed
  }

  function list(): readonly Place[] {
    return [demo.place, ...places.map(toPlace)]
  }

  function connectionOf(id: PlaceId): StoreConnection {
    if (id === DEMO_PLACE_ID) return demo.connection
    const place = places.find((candidate) => candidate.id === id)
    if (place === undefined) throw unusable('The place was removed')
    const secretAccessKey = secrets.get(id)
    if (place.signature === 'none') return { ...place, network, credentials: null }
    if (secretAccessKey === undefined) throw unusable('The key of the place is not known on this computer any more')
    return { ...place, network, credentials: { accessKeyId: place.accessKeyId, secretAccessKey } }
  }

  function forgetStores(id: PlaceId): void {
    for (const name of stores.keys()) if (name.startsWith(`${id}/`)) stores.delete(name)
  }

  return {
    list,
    add: async ({ secretAccessKey, ...place }) => {
      const same = places.find((candidate) => isSame(candidate, place))
      const id = same?.id ?? randomUUID()
      const stored: StoredPlace = { ...place, id, sealedSecret: credentials.seal(secretAccessKey) }
      await save(same === undefined ? [...places, stored] : places.map((other) => (other === same ? stored : other)))
      secrets.set(id, secretAccessKey)
      forgetStores(id)
      return toPlace(stored)
    },
    remove: async (id) => {
      await save(places.filter((place) => place.id !== id))
      secrets.delete(id)
      forgetStores(id)
    },
    require: (id) => {
      const place = list().find((candidate) => candidate.id === id)
      if (place === undefined) throw new RequestError('This place was removed.')
      return place
    },
    openStore: (location) => {
      if (location.kind === 'link') return remembered(stores, location.url, () => createUrlStore(location.url, network))
      const { placeId, bucket } = location
      return remembered(stores, `${placeId}/${bucket}`, () => {
        const store = createStore({ ...connectionOf(placeId), bucket })
        return placeId === DEMO_PLACE_ID ? decorateDemo(store) : store
      })
    },
    dropConnections: () => {
      for (const store of stores.values()) store.dropConnections()
    },
    close: async () => {
      await Promise.all([...stores.values()].map((store) => store.close()))
    },
  }
}

function remembered(stores: Map<string, ObjectStore>, name: string, open: () => ObjectStore): ObjectStore {
  const store = stores.get(name) ?? open()
  stores.set(name, store)
  return store
}

function toPlace({ sealedSecret: _, ...place }: StoredPlace): Place {
  return { ...place, isDemo: false }
}

function isSame(a: Omit<NewPlace, 'secretAccessKey'>, b: Omit<NewPlace, 'secretAccessKey'>): boolean {
  return (
    a.endpoint === b.endpoint && a.bucket === b.bucket && a.dialect === b.dialect && a.accessKeyId === b.accessKeyId
  )
}

function unusable(message: string): StoreError {
  return new StoreError('InvalidAccessKeyId', message, { maybeProcessed: false })
}
