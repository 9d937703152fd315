import { createHash, randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { joined, totalLength } from '../../../electron/engine/core/byte-ranges.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import type { RunContext, RunOutcome } from '../../../electron/engine/core/run.ts'
import { createWindDown } from '../../../electron/engine/core/wind-down.ts'
import { runDownload } from '../../../electron/engine/download/download.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { partialPathOf } from '../../../electron/engine/partial-file/partial-file.ts'
import { readSidecar } from '../../../electron/engine/partial-file/sidecar.ts'
import { createProgressCounter } from '../../../electron/engine/transfer/progress-counter.ts'
import { MIB } from '../../../shared/limits.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import { downloadRecord } from '../../support/fakes/records.ts'
import { SimulatedDisk } from '../../support/fakes/simulated-disk.ts'
import { UNLIMITED } from '../../support/fakes/unlimited.ts'
import { LineStore, type LineOptions } from '../../support/worlds/slow-line.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const TARGET = '/downloads/set.tar'
const STEP_MS = 50

/** One download over a line, in virtual time. */
async function downloadOver(line: LineOptions, sizeBytes: number, connections: number | null = null) {
  const clock = createFakeClock()
  const content = randomBytes(sizeBytes)
  const store = new LineStore(clock, content, line)
  const disk = new SimulatedDisk('/downloads')
  const checkpoints = new MemoryCheckpoints()
  const record = downloadRecord({ targetPath: TARGET })
  await checkpoints.insert([record])
  const stop = new AbortController()
  const progress = createProgressCounter()
  const { moved, confirmed } = progress
  const nothing = () => undefined
  const context: RunContext<DownloadRecord> = {
    record,
    store: store.asObjectStore(),
    deps: {
      clock,
      random: () => 0.5,
      uuid: () => 'a',
      sidecarKey: SIDECAR_KEY,
      fileSystem: disk.files,
      hasher: disk.hasher,
      checkpoints,
      openStore: () => store.asObjectStore(),
    },
    limiter: UNLIMITED,
    connections: connections ?? createConnectionGovernors({ clock, isSaturated: () => false }),
    partSizeBytes: null,
    giveUpAfterMs: null,
    signal: stop.signal,
    windDown: createWindDown(),
    isTaken: () => false,
    abandon: () => Promise.resolve(),
    report: {
      stage: nothing,
      size: nothing,
      units: nothing,
      unit: nothing,
      closing: nothing,
      waiting: nothing,
      finishing: nothing,
      dropped: nothing,
      log: nothing,
      facts: nothing,
      moved,
      confirmed,
    },
  }
  let outcome: RunOutcome | null = null
  void runDownload(context).then((end) => (outcome = end))
  onTestFinished(async () => {
    stop.abort('close')
    store.end()
    await clock.advance(1000)
  })
  return {
    clock,
    store,
    progress,
    /** Lets time pass, up to the end of the download. `look` is called every 50 ms. */
    async pass(ms: number, look: () => void = nothing) {
      for (const endMs = clock.monotonicMs() + ms; clock.monotonicMs() < endMs && outcome === null;) {
        await clock.advance(STEP_MS)
        look()
      }
      return clock.monotonicMs()
    },
    /** What the next process would find, written and noted. */
    async keptBytes() {
      const content = await readSidecar(disk.files, partialPathOf(record), SIDECAR_KEY)
      return totalLength(joined(content?.written ?? []))
    },
    async isWhole() {
      const { signal } = new AbortController()
      return outcome?.kind === 'completed' && (await disk.hasher.md5(TARGET, 0, sizeBytes, signal)) === hashOf(content)
    },
  }
}

const hashOf = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

test.each([
  ['2 Mbit/s', 250_000, 1],
  ['8 Mbit/s', 1_000_000, 1],
  ['8 Mbit/s over eight connections', 1_000_000, 8],
  ['2 Mbit/s over thirty-two connections', 250_000, 32],
])('whenever a process dies, at most two seconds are lost: $0', async (_name, bytesPerSecond, connections) => {
  const stall = { fromMs: 9000, toMs: 13_000 }
  const isUp = (nowMs: number) => nowMs < stall.fromMs || nowMs > stall.toMs
  const run = await downloadOver({ bytesPerSecond, isUp }, 24 * MIB, connections)
  const arrived: { readonly atMs: number; readonly bytes: number }[] = []
  await run.pass(20_000, () => {
    const nowMs = run.clock.monotonicMs()
    arrived.push({ atMs: nowMs, bytes: run.progress.movedBytes })
    // What moved had come a quarter of a second before, at most.
    const due = arrived.findLast(({ atMs }) => atMs <= nowMs - 1750)
    expect(run.progress.confirmedBytes).toBeGreaterThanOrEqual(due?.bytes ?? 0)
  })
  expect(run.progress.confirmedBytes).toBeGreaterThan(4 * bytesPerSecond)
})

test('whenever a process dies on a line of 80 Mbit/s, what was not kept of the bytes that came is little', async () => {
  const run = await downloadOver({ bytesPerSecond: 10_000_000 }, 64 * MIB, 16)
  await run.pass(2000)
  let mostBytes = 0
  for (let look = 0; look < 60; look += 1) {
    await run.pass(50)
    mostBytes = Math.max(mostBytes, run.progress.movedBytes - (await run.keptBytes()))
  }
  expect(mostBytes).toBeGreaterThan(0)
  expect(mostBytes).toBeLessThanOrEqual(3.5 * MIB)
})

test('the bar moves twice a second while bytes flow', async () => {
  const run = await downloadOver({ bytesPerSecond: 250_000 }, 8 * MIB)
  let movedAtMs = 0
  let before = 0
  await run.pass(20_000, () => {
    const nowMs = run.clock.monotonicMs()
    if (run.progress.movedBytes > before) movedAtMs = nowMs
    before = run.progress.movedBytes
    expect(nowMs - movedAtMs).toBeLessThanOrEqual(500)
  })
})

test('a slow line is filled by a few connections, and carries little twice', async () => {
  const size = 20 * MIB
  const line = { bytesPerSecond: 500_000, latencyMs: 10, queueMs: 300 }
  const run = await downloadOver(line, size)
  const endMs = await run.pass(120_000)
  expect(await run.isWhole()).toBe(true)
  expect(endMs).toBeLessThanOrEqual((1.04 * size * 1000) / line.bytesPerSecond)
  expect(run.store.sentBytes).toBeLessThanOrEqual(1.03 * size)
  expect(run.store.mostAtATime).toBeLessThanOrEqual(4)
})

test('a fast line has eight connections before half a second has passed', async () => {
  const run = await downloadOver({ bytesPerSecond: 64_000_000, connectionBytesPerSecond: 8_000_000 }, 64 * MIB)
  await run.pass(500)
  expect(run.store.mostAtATime).toBeGreaterThanOrEqual(8)
})

test('where each connection is slow, there are many of them after some seconds', async () => {
  const run = await downloadOver({ bytesPerSecond: 4_000_000, connectionBytesPerSecond: 125_000 }, 48 * MIB)
  await run.pass(8000)
  expect(run.store.running).toBeGreaterThanOrEqual(24)
})

test('on a train the time without a line is all that is lost', async () => {
  const size = 20 * MIB
  const rate = 500_000
  const isUp = (nowMs: number) => nowMs % 50_000 < 30_000
  const run = await downloadOver({ bytesPerSecond: rate, latencyMs: 20, isUp, queueMs: 300 }, size)
  let lineMs = 0
  await run.pass(300_000, () => {
    if (isUp(run.clock.monotonicMs())) lineMs += STEP_MS
  })
  expect(await run.isWhole()).toBe(true)
  expect(lineMs).toBeLessThanOrEqual((1.1 * size * 1000) / rate)
  expect(run.store.sentBytes).toBeLessThanOrEqual(1.04 * size)
})

test.each([
  ['on 2 Mbit/s', 250_000, 14.3],
  ['on 8 Mbit/s', 1_000_000, 10.3],
  ['on 8 Mbit/s, with next to nothing to go', 1_000_000, 19.97],
  ['on 32 Mbit/s', 4_000_000, 18.3],
])('a connection that falls silent costs a download seconds, and next to no bytes: $0', async (_name, rate, atMiB) => {
  const size = 20 * MIB
  const line = { bytesPerSecond: rate, latencyMs: 20, queueMs: 300, silentFrom: Math.floor(atMiB * MIB) }
  const run = await downloadOver(line, size)
  const endMs = await run.pass(200_000)
  expect(await run.isWhole()).toBe(true)
  expect(run.store.silentAtMs).not.toBeNull()
  expect(endMs).toBeLessThanOrEqual((1.04 * size * 1000) / rate + 4000)
  expect(run.store.sentBytes).toBeLessThanOrEqual(1.05 * size)
})
