import { join } from 'node:path'
import { createSystemClock, openCheckpointStore } from '../../../electron/engine/index.ts'
import { downloadRecord, uploadRecord } from '../fakes/records.ts'

/** More than a window reads before it opens. */
export const LONG_LIST_DONE = 12_000

/** Writes a list in which what is paused, an upload of `sourcePath` as `late.mov`, came last, after all that is done. */
export async function fillLongList(userDataDir: string, sourcePath: string): Promise<void> {
  const store = await openCheckpointStore(join(userDataDir, 'state', 'transfers.db'), createSystemClock())
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const location = { kind: 'place', placeId: 'demo', bucket: 'demo' } as const
  const done = Array.from({ length: LONG_LIST_DONE }, (_, number) => {
    const facts = { location, key: `${String(number)}.bin`, position: number + 1, finishedAtMs: number + 1 }
    return downloadRecord({ id: idOf(number), ...facts, status: 'completed', targetPath: join(userDataDir, facts.key) })
  })
  const paused = uploadRecord({
    id: idOf(LONG_LIST_DONE),
    key: 'late.mov',
    location,
    position: LONG_LIST_DONE + 1,
    status: 'paused',
    sourcePath,
  })
  await store.insert([...done, paused])
  await store.close()
}
