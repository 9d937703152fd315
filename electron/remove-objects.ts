import type { BucketAddress, DeletedObjects } from '../shared/object-requests.ts'
import { patiently } from './engine/index.ts'
import type { ObjectServices } from './ipc/object-handlers.ts'
import { RequestError } from './ipc/request-error.ts'
import { patienceAt, told, type PatientDeps } from './patience-at.ts'
import type { Places } from './places.ts'

const PAGE_SIZE = 1000
/** Requests at a time. */
const LANES = 8

interface RemovalDeps extends Pick<PatientDeps, 'deps'> {
  readonly places: Pick<Places, 'require' | 'openStore'>
}

/** Deletes objects for good, some at a time; trouble on the way is waited out for as long as a person would. */
export function createRemoval(around: RemovalDeps): Pick<ObjectServices, 'remove' | 'removePage'> {
  /** Stops at the first that can't be deleted. */
  async function removeKeys(
    address: BucketAddress,
    keys: readonly string[],
  ): Promise<Omit<DeletedObjects, 'nextMarker'>> {
    const { store, signal, patience } = patienceAt(around, address)
    const left = keys.values()
    let deleted = 0
    let failure: string | null = null
    async function lane(): Promise<void> {
      for (const key of left) {
        if (failure !== null) return
        try {
          await told(around.places, address, key, () => patiently(patience, () => store.deleteObject({ key, signal })))
          deleted += 1
        } catch (refusal) {
          if (!(refusal instanceof RequestError)) throw refusal
          failure = refusal.message
        }
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return { deleted, failure }
  }

  return {
    remove: async ({ keys, ...address }) => ({ ...(await removeKeys(address, keys)), nextMarker: null }),
    removePage: async ({ prefix, marker, ...address }) => {
      const { store, signal, patience } = patienceAt(around, address)
      const after = marker === null ? {} : { marker }
      const page = await told(around.places, address, prefix, () =>
        patiently(patience, () => store.listObjects({ prefix, maxKeys: PAGE_SIZE, signal, ...after })),
      )
      const keys = page.objects.map(({ key }) => key)
      return { ...(await removeKeys(address, keys)), nextMarker: page.nextMarker }
    },
  }
}
