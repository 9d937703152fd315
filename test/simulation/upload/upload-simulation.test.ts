import { describe, expect, it, vi } from 'vitest'
import type * as memory from '../../../electron/engine/files/read-buffers.ts'
import type * as saturation from '../../../electron/engine/system/load.ts'
import type * as limits from '../../../shared/limits.ts'
import { planUpload } from '../../../electron/engine/multipart/part-plan.ts'
import { seedRange } from '../living.ts'
import { lend, perProcess } from '../machine/process-memory.ts'
import { simulateUploads } from './simulate-uploads.ts'

/** Everything 1024 times smaller, so that a file of some dozen KiB has many parts and blocks. */
vi.mock('../../../shared/limits.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof limits>()),
  MIB: 1024,
  MIN_PART_SIZE_BYTES: 5 * 1024,
  PART_STEP_BYTES: 64,
  USUAL_PART_BYTES: 5 * 1024 + 64,
  SINGLE_PUT_MAX_BYTES: 16 * 1024,
  PLANNED_PART_MIN_BYTES: 8 * 1024,
  PLANNED_PART_MAX_BYTES: 64 * 1024,
}))

vi.mock('../../../electron/engine/files/read-buffers.ts', async (importOriginal) => {
  const original = await importOriginal<typeof memory>()
  const scarce = (): memory.ReadMemory => original.createReadMemory(16 * original.READ_BLOCK_BYTES)
  const ofProcess = perProcess((isScarce) => (isScarce ? scarce() : original.createReadMemory(64 * 1024)))
  const reserve = async (signal: AbortSignal): Promise<memory.BodyBlocks> => {
    const blocks = await ofProcess().reserve(signal)
    const giveBack = lend()
    const release = (): void => {
      giveBack()
      blocks.release()
    }
    return { ...blocks, release }
  }
  return { ...original, readMemory: { reserve } }
})

/** How busy the processor really is must not matter. */
vi.mock('../../../electron/engine/system/load.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof saturation>()),
  watchSaturation: () => () => false,
}))

const [SEEDS_FROM, SEEDS_END] = seedRange(process.env['SLUICE_UPLOAD_SEEDS'] ?? process.env['SLUICE_SEEDS'] ?? '500')
const ONE_SEED = process.env['SLUICE_SEED']
const SEEDS_PER_TEST = 100
/**
 * Worlds that showed a last part whose connection crawls and that was never sent again, one that waited for minutes in
 * the buffers of such a connection, a small body that was given up while larger ones held it up, a kill while four
 * slow connections filled the line, and a body that was given up in an outage of less than ten seconds.
 */
const ONCE_WRONG = [
  ...[72155, 73087, 91388, 104305, 122726, 128906, 131216, 70910, 104715, 100251, 124440, 300975],
  // An idle line waited for minutes for its last part, because others had shared it before, or ETags tell nothing.
  ...[70608, 105516, 73919, 127840, 127638],
  // Such a part moved once more after all others were answered.
  617490,
  // What buffers still held of before a pause was in front of a part that was given up.
  718133,
  // Ever more bodies began behind one whose connection crawls, in buffers that pass them on in order.
  501939,
  // A given-up body that arrived all the same counted as carried in vain, and so did its copy.
  709700,
  // Many files took a slow line more than an hour.
  403898,
  // A body was given up while it shared the line with ones that began later, and a last one in an outage.
  ...[504568, 518552, 601229, 602485],
]

async function simulateAll(first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed += 1) await simulateUploads(seed)
}

describe('a simulated world of uploads comes to rest as its rules demand', () => {
  if (ONE_SEED !== undefined) {
    it(`seed ${ONE_SEED}`, async () => {
      await expect(simulateUploads(Number(ONE_SEED), true)).resolves.toMatchObject({})
    })
    return
  }

  const count = Math.ceil((SEEDS_END - SEEDS_FROM) / SEEDS_PER_TEST)
  const batches = Array.from({ length: count }, (_, index) => SEEDS_FROM + index * SEEDS_PER_TEST)
  it.each(batches)('seeds from %i on', async (first) => {
    await expect(simulateAll(first, Math.min(SEEDS_PER_TEST, SEEDS_END - first))).resolves.toBeUndefined()
  })

  it.each(ONCE_WRONG)('seed %i, which was wrong before', async (seed) => {
    await expect(simulateUploads(seed)).resolves.toMatchObject({})
  })

  it('cuts its larger files into many parts', () => {
    expect(planUpload(60_000).partCount).toBeGreaterThan(8)
  })

  it('is the same world for the same seed', async () => {
    expect(await simulateUploads(7)).toEqual(await simulateUploads(7))
  })
})
