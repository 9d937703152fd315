import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { inRoot } from '../../lib/paths.mjs'
import { ofSources } from '../machine/app.mjs'

/** How fast the threads alone read and hash a file for an upload, which limits the speed of one upload. */
export async function measureHashing(world, { sizeBytes }, rounds) {
  const source = await world.source(sizeBytes)
  const { createHasher } = await ofSources('electron', 'engine', 'hashing', 'hash-pool.ts')
  const workerUrl = new URL(`file://${inRoot('out', 'hash-worker.js')}`)
  const rows = [1, 2].flatMap((workers) => [256, 512, 1024].map((blockKiB) => ({ workers, blockKiB, runs: [] })))
  for (let round = 0; round < rounds; round += 1) {
    for (const { workers, blockKiB, runs } of rows) {
      const hasher = createHasher({ workers, workerUrl, deviceOf: async () => null })
      runs.push(await hashAll(hasher, source, blockKiB * 1024))
      await hasher.close()
    }
  }
  const label = ({ workers, blockKiB }) =>
    `${workers} ${workers === 1 ? 'thread' : 'threads'}, blocks of ${blockKiB} KiB`
  return { rows: rows.map((row) => ({ name: label(row), label: label(row), runs: row.runs })), absent: [] }
}

/** Hashes eight parts at a time, as for eight connections, with two blocks each. */
async function hashAll(hasher, { localPath, sizeBytes }, blockBytes) {
  const { signal } = new globalThis.AbortController()
  setMaxListeners(0, signal)
  const partBytes = Math.ceil(sizeBytes / 8)
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  const offsets = Array.from({ length: 8 }, (_, index) => index * partBytes)
  await Promise.all(
    offsets.map(async (offset) => {
      const reading = hasher.read(localPath, offset, Math.min(partBytes, sizeBytes - offset))
      let next = reading.next(new SharedArrayBuffer(blockBytes), signal)
      let spare = new SharedArrayBuffer(blockBytes)
      for (let at = blockBytes; at < partBytes; at += blockBytes) {
        const ahead = reading.next(spare, signal)
        spare = (await next).bytes.buffer
        next = ahead
      }
      await next
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: (user + system) / 1e6, failure: null }
}
