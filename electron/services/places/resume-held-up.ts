// Which transfers go on when a place is corrected or the keyring is unlocked, and which stop when a place is removed.

import type { Place } from '../../../shared/place/place.ts'
import { isOfLockedKeyring, type TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import { goesOn } from '../../../shared/transfer/transfer-group.ts'
import type { TransferRow, WaitReason } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'
import type { Places } from './places.ts'

/** Errors that a change of the place's settings may fix. */
const CAUSES: ReadonlySet<TransferErrorCode | undefined> = new Set<TransferErrorCode>([
  'access-denied',
  'certificate-untrusted',
  'feature-unavailable',
  'key-not-accepted',
  'keys-expired',
  'no-such-bucket',
  'proxy-refused',
  'refused-by-server',
])
const WAITS: ReadonlySet<WaitReason | undefined> = new Set<WaitReason>(['network', 'proxy', 'server-error'])

type PlaceEngine = Pick<Engine, 'snapshot' | 'failuresOf' | 'retry' | 'rebucket'>

/** Saving a place also continues those of its transfers that its settings may have held up. */
export function continueWhenSaved(places: Places, engine: PlaceEngine): Pick<Places, 'add' | 'edit'> {
  async function goOn(place: Place, before: Place | undefined): Promise<Place> {
    const rows = engine.snapshot().rows.filter(({ placeId }) => placeId === place.id)
    const held = rows.filter((row) => isHeldUp(row, engine))
    const moved = new Set(held.filter((row) => isMistyped(row, before, place)).map(({ id }) => id))
    await engine.rebucket([...moved], place.bucket)
    const others = held.map(({ id }) => id).filter((id) => !moved.has(id))
    await engine.retry(others, 'place-edited')
    return place
  }

  return {
    add: async (place) => goOn(await places.add(place), undefined),
    edit: async (id, place) => {
      const before = places.list().find((known) => known.id === id)
      return goOn(await places.edit(id, place), before)
    },
  }
}

/**
 * Removing a place also stops its transfers, which would otherwise go on with the store and the key that they have. They
 * say then that their place was removed; those that were paused before stay so.
 */
export function stopWhenRemoved(
  places: Pick<Places, 'remove'>,
  engine: Pick<Engine, 'snapshot' | 'pause' | 'resume'>,
): Pick<Places, 'remove'> {
  return {
    remove: async (id) => {
      const rows = engine.snapshot().rows.filter(({ placeId, status }) => placeId === id && goesOn(status))
      const ids = rows.map((row) => row.id)
      // The second pause stops at once what the first one would let finish.
      await Promise.all([engine.pause(ids, 'place-removed'), engine.pause(ids, 'place-removed')])
      try {
        await places.remove(id)
      } catch (error) {
        await engine.resume(ids, 'place-stays')
        throw error
      }
      await engine.resume(ids, 'place-removed')
    },
  }
}

/** The transfers that stopped because the keyring couldn't be opened. */
export function heldByKeyring(engine: Pick<Engine, 'snapshot'>): readonly TransferRow['id'][] {
  const rows = engine.snapshot().rows.filter(({ error }) => isOfLockedKeyring(error))
  return rows.filter(({ status }) => status === 'failed').map(({ id }) => id)
}

/** The transfers that wait for their place to answer. */
export function waitingFor(placeId: Place['id'], engine: Pick<Engine, 'snapshot'>): readonly TransferRow['id'][] {
  const rows = engine.snapshot().rows.filter((row) => row.placeId === placeId && row.status === 'waiting')
  return rows.filter(({ wait }) => WAITS.has(wait?.reason)).map(({ id }) => id)
}

/** Whether the place's settings may have stopped the transfer or some of its files, or keep it waiting. */
function isHeldUp({ id, status, error, wait }: TransferRow, engine: Pick<Engine, 'failuresOf'>): boolean {
  if (status === 'waiting') return WAITS.has(wait?.reason)
  if (status !== 'failed') return false
  const failures = error?.code === 'items-failed' ? engine.failuresOf(id) : []
  return CAUSES.has(error?.code) || failures.some((failure) => CAUSES.has(failure.error.code))
}

/** Whether the place used to name a bucket that doesn't exist and now names the one that was meant for the transfer. */
function isMistyped({ bucket, confirmedBytes, error }: TransferRow, before: Place | undefined, after: Place): boolean {
  const isOther = after.bucket !== '' && after.bucket !== bucket && before?.bucket === bucket
  return error?.code === 'no-such-bucket' && confirmedBytes === 0 && isOther
}
