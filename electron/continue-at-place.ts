import type { Place, PlaceId } from '../shared/place.ts'
import type { TransferErrorCode } from '../shared/transfer-error.ts'
import type { TransferRow, WaitReason } from '../shared/transfer.ts'
import type { Engine } from './engine/index.ts'
import type { Places } from './places.ts'

/** What other settings of a place may mend. */
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

/** The transfers of a place that its settings may have stopped, or keep waiting. Pure. */
export function heldUpAt(placeId: PlaceId, rows: readonly TransferRow[]): readonly TransferRow[] {
  return rows.filter(
    (row) =>
      row.placeId === placeId &&
      ((row.status === 'failed' && CAUSES.has(row.error?.code)) ||
        (row.status === 'waiting' && WAITS.has(row.wait?.reason))),
  )
}

/** Places whose transfers go on when they are saved, as far as their settings may have held them up. */
export function continueWhenSaved(
  places: Places,
  engine: Pick<Engine, 'snapshot' | 'retry' | 'rebucket'>,
): Pick<Places, 'add' | 'edit'> {
  async function goOn(place: Place, before: Place | undefined): Promise<Place> {
    const held = heldUpAt(place.id, engine.snapshot().rows)
    const moved = new Set(held.filter((row) => isMistyped(row, before, place)).map(({ id }) => id))
    await engine.rebucket([...moved], place.bucket)
    await engine.retry(held.map(({ id }) => id).filter((id) => !moved.has(id)))
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

/** The place named a bucket that isn't there, and names another one now: that is where the transfer was to go. */
function isMistyped({ bucket, confirmedBytes, error }: TransferRow, before: Place | undefined, after: Place): boolean {
  const isOther = after.bucket !== '' && after.bucket !== bucket && before?.bucket === bucket
  return error?.code === 'no-such-bucket' && confirmedBytes === 0 && isOther
}
