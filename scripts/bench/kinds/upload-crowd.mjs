import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot } from '../../lib/paths.mjs'

// A process that runs the engine with many uploads of one file at a time, and reports how much memory that takes.

const { target, source, count, folder, reportFile } = JSON.parse(process.argv[2])
const { runnerImport } = await import('vite')
const { module } = await runnerImport(inRoot('scripts', 'bench', 'kinds', 'engine-parts.mjs'), { logLevel: 'error' })
const { createEngine, createHasher, createNodeDeps, createStore, createSystemClock, openCheckpointStore } = module

const store = createStore({
  ...{ dialect: 'storage', endpoint: target.endpoint, bucket: target.bucket, pathStyle: true, scheme: 'AWS' },
  ...{ signature: 'none', region: 'us-east-1', credentials: null },
})
const clock = createSystemClock()
const workerUrl = new URL(`file://${inRoot('out', 'hash-worker.js')}`)
const hasher = createHasher({ workerUrl, deviceOf: async () => null })
const checkpoints = await openCheckpointStore(join(folder, 'queue.db'), clock)
const deps = { ...createNodeDeps(clock, randomBytes(32)), hasher, checkpoints, openStore: () => store }
const engine = createEngine(deps, {
  activeTransfers: count,
  connectionsPerTransfer: null,
  limits: { totalBytesPerSecond: null, uploadBytesPerSecond: null, downloadBytesPerSecond: null },
  partSizeBytes: null,
  giveUpAfterMs: 60_000,
})
await engine.load()
await sleep(500)
const idleBytes = process.memoryUsage().rss
let peakBytes = idleBytes
const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage().rss)), 50)
const location = { kind: 'place', placeId: 'bench', bucket: target.bucket }
const requests = Array.from({ length: count }, (_, index) => ({ location, key: `crowd/${index}`, sourcePath: source }))
await engine.enqueueUploads(requests)
await engine.idle()
clearInterval(timer)
const failed = engine.snapshot().rows.filter(({ status }) => status !== 'completed')
const failure =
  failed.length === 0 ? null : `${failed.length} uploads ended as ${failed[0].status}: ${failed[0].error?.detail ?? ''}`
await engine.close()
await Promise.all([hasher.close(), store.close()])
await writeFile(reportFile, JSON.stringify({ idleBytes, peakBytes, failure }))
