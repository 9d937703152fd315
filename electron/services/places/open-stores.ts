import type { PlaceId } from '../../../shared/place/place.ts'
import type { StoreLocation } from '../../engine/index.ts'
import type { LinkLocation } from './link-sign-ins.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'

/** The open stores of places and links. */
export interface OpenStores {
  /** Returns the same store for the same place and bucket, and for the same link while the store is in use. */
  readonly openStore: (location: StoreLocation) => ObjectStore
  /** The place has changed: its stores are opened anew. Transfers that use an old store keep it. */
  readonly forget: (id: PlaceId) => void
  /** Ends the connections of every store still in use, including forgotten ones. */
  readonly dropConnections: () => void
  readonly close: () => Promise<void>
}

export interface StoreMaker {
  readonly place: (id: PlaceId, bucket: string) => ObjectStore
  readonly link: (location: LinkLocation) => ObjectStore
}

/** A place's stores stay open, to keep what they learn about its service. A link's store is held only by its users. */
export function createOpenStores(make: StoreMaker): OpenStores {
  const ofPlaces = new Map<string, ObjectStore>()
  const ofLinks = new Map<string, WeakRef<ObjectStore>>()
  const used = new Set<WeakRef<ObjectStore>>()
  const collected = new FinalizationRegistry<WeakRef<ObjectStore>>((reference) => {
    used.delete(reference)
    for (const [name, other] of ofLinks) if (other === reference) ofLinks.delete(name)
  })

  function follow(store: ObjectStore): WeakRef<ObjectStore> {
    const reference = new WeakRef(store)
    used.add(reference)
    collected.register(store, reference)
    return reference
  }

  function ofLink(location: LinkLocation): ObjectStore {
    const name = JSON.stringify([location.url, location.signIn])
    const known = ofLinks.get(name)?.deref()
    if (known !== undefined) return known
    const store = make.link(location)
    ofLinks.set(name, follow(store))
    return store
  }

  function ofPlace(id: PlaceId, bucket: string): ObjectStore {
    const name = `${id}/${bucket}`
    const known = ofPlaces.get(name)
    if (known !== undefined) return known
    const store = make.place(id, bucket)
    follow(store)
    ofPlaces.set(name, store)
    return store
  }

  const open = () => [...used].flatMap((reference) => reference.deref() ?? [])

  return {
    openStore: (location) => (location.kind === 'link' ? ofLink(location) : ofPlace(location.placeId, location.bucket)),
    forget: (id) => {
      for (const [name, store] of ofPlaces) {
        if (!name.startsWith(`${id}/`)) continue
        ofPlaces.delete(name)
        void store.close()
      }
    },
    dropConnections: () => {
      for (const store of open()) store.dropConnections()
    },
    close: async () => {
      await Promise.all(open().map((store) => store.close()))
    },
  }
}
