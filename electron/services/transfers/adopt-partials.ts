import { basename, dirname } from 'node:path'
import type { EnqueueResult } from '../../../shared/ipc/ipc-contract.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { AdoptionRefused, nodeFiles, type Engine, type FoundPartial, type StoreLocation } from '../../engine/index.ts'
import type { Places } from '../places/places.ts'
import { message, type Message } from '../../../shared/language/message.ts'

/** Adds downloads that continue dropped partial files, each from the place or link that it came from. */
export async function adoptPartials(
  engine: Pick<Engine, 'adoptPartial' | 'inspectPartial'>,
  places: Pick<Places, 'list'>,
  paths: readonly string[],
): Promise<EnqueueResult> {
  let added = 0
  const ids: TransferId[] = []
  const skipped: Message[] = []
  for (const path of paths) {
    try {
      const found = await engine.inspectPartial(path)
      const location = locationOf(places, found)
      if (location === null) {
        const name = basename(found.targetPath)
        const { endpoint } = found
        skipped.push(
          endpoint === null
            ? message('services.partial.add-unknown-place', { name })
            : message('services.partial.add-place', { name, endpoint }),
        )
        continue
      }
      const { key, targetPath } = found
      const root = await nodeFiles.realpath(dirname(targetPath))
      const id = await engine.adoptPartial(path, { location, key, targetPath, onConflict: 'keep-both', root })
      ids.push(id)
      added += 1
    } catch (failure) {
      if (!(failure instanceof AdoptionRefused)) throw failure
      if (failure.transferId !== null) ids.push(failure.transferId)
      skipped.push(message(`services.partial.${failure.problem}`, { name: visibleText(basename(path)) }))
    }
  }
  return { added, skipped, ids }
}

function locationOf(places: Pick<Places, 'list'>, { location, endpoint }: FoundPartial): StoreLocation | null {
  if (location.kind === 'link') return location
  const { placeId, bucket } = location
  const candidates = places.list().filter((place) => place.bucket === bucket || place.bucket === '')
  const place = candidates.find(({ id }) => id === placeId) ?? candidates.find((each) => each.endpoint === endpoint)
  return place === undefined ? null : { kind: 'place', placeId: place.id, bucket }
}
