import { link, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { ofSources } from '../machine/app.mjs'

const MIB = 1024 * 1024
/** Uploads of this size and rate take minutes, and leave the machine to the window. */
const MOVING_BYTES = 64 * MIB
const MOVING_BYTES_PER_SECOND = 200_000
const AT_A_TIME = 10_000
const BEGUN_AT_MS = Date.UTC(2025, 0, 1)

/**
 * Fills the list of transfers of an app that was never started: `moving` paused uploads of existing files, then paused
 * uploads and finished downloads in turn. Resolves with the ids of the first ones.
 */
export async function fillQueue(userDataDir, count, moving) {
  const { openCheckpointStore } = await ofSources('electron', 'engine', 'checkpoint', 'sqlite-checkpoint-store.ts')
  const folder = join(userDataDir, 'bench-files')
  const paths = await writeFiles(folder, moving)
  const records = Array.from({ length: count }, (_, number) => {
    if (number < moving) return { ...upload(number, paths[number]), limitBytesPerSecond: MOVING_BYTES_PER_SECOND }
    return number % 2 === 0 ? upload(number, join(folder, nameOf(number))) : finishedDownload(number, folder)
  })
  const clock = { nowMs: () => Date.now() }
  const store = await openCheckpointStore(join(userDataDir, 'state', 'transfers.db'), clock)
  for (let from = 0; from < count; from += AT_A_TIME) await store.insert(records.slice(from, from + AT_A_TIME))
  await store.close()
  return records.slice(0, moving).map(({ id }) => id)
}

async function writeFiles(folder, count) {
  await mkdir(folder, { recursive: true })
  const paths = Array.from({ length: count }, (_, number) => join(folder, nameOf(number)))
  const [first, ...others] = paths
  const file = await open(first, 'w')
  await file.truncate(MOVING_BYTES)
  await file.close()
  for (const path of others) await link(first, path)
  return paths
}

function upload(number, sourcePath) {
  const begun = { source: null, plan: null, uploadId: null, intent: null, onConflict: 'fail' }
  return { ...common(number), direction: 'upload', status: 'paused', sourcePath, ...begun }
}

function finishedDownload(number, folder) {
  const identity = { sizeBytes: 1_000_000 + number, etag: null, lastModified: null }
  return {
    ...common(number),
    ...{ direction: 'download', status: 'completed', verification: 'etag-md5', finishedAtMs: BEGUN_AT_MS + number },
    ...{ targetPath: join(folder, nameOf(number)), onConflict: 'keep-both' },
    ...{ identity, partialPath: null, publishing: null },
  }
}

function common(number) {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    position: number + 1,
    location: { kind: 'place', placeId: 'demo', bucket: 'demo' },
    key: nameOf(number),
    ...{ error: null, verification: null, createdAtMs: BEGUN_AT_MS, finishedAtMs: null, activeMs: 0 },
  }
}

function nameOf(number) {
  return `file ${String(number).padStart(6, '0')}.bin`
}
