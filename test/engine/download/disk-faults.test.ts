import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import { crc32 } from '../../../electron/checksums/crc32.ts'
import { createRandom } from '../../simulation/random.ts'
import { contentStore } from '../../support/fakes/content-store.ts'
import { downloadFixture, type DownloadFixture } from '../../support/worlds/download-fixture.ts'
import { SimulatedDisk, systemError } from '../../support/fakes/simulated-disk.ts'

/** Everything 16 times smaller: what counts is how many calls there are, and each has runs of its own. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return smallerLimits(await original<typeof Limits>(), 16)
})

const BYTES = randomBytes(8 * MIB + 5)
const OLD = Buffer.from('the file that was here')
const STORE = contentStore(BYTES)
const FOLDER = '/downloads'
const TARGET = join(FOLDER, 'set.bin')

type OnConflict = DownloadRecord['onConflict']
const WAYS: readonly OnConflict[] = ['fail', 'keep-both', 'replace']

/** A download to an empty folder, or to one where the name is taken, on a disk of its own. */
async function freshDisk(fixture: DownloadFixture, onConflict: OnConflict): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk(FOLDER)
  if (onConflict !== 'fail') disk.place(TARGET, OLD)
  fixture.checkpoints.onWrite = () => undefined
  const [record] = fixture.checkpoints.records.values()
  await fixture.checkpoints.removeRanges(record?.id ?? '', 'all')
  await fixture.enter({ onConflict, targetPath: TARGET })
  return disk
}

function begin(fixture: DownloadFixture, disk: SimulatedDisk) {
  return fixture.begin({
    store: STORE,
    fileSystem: disk.files,
    hasher: disk.hasher,
    connections: 2,
    giveUpAfterMs: 100,
  })
}

/** Whose file it is that lies there, or whether nothing does. */
function contentAt(disk: SimulatedDisk, path: string): 'whole' | 'old' | 'something else' | 'nothing' {
  const content = disk.contentOf(path)
  if (content === null) return 'nothing'
  return content.equals(BYTES) ? 'whole' : content.equals(OLD) ? 'old' : 'something else'
}

/** Names that are not hidden hold the old file or the whole new one; the old one is there unless it may be replaced. */
function expectWholeFiles(disk: SimulatedDisk, onConflict: OnConflict, where: unknown): void {
  const seen = disk.list(FOLDER).filter((path) => !path.startsWith(`${FOLDER}/.`))
  for (const path of seen) expect([where, path, contentAt(disk, path)]).not.toEqual([where, path, 'something else'])
  if (onConflict === 'keep-both') expect([where, contentAt(disk, TARGET)]).toEqual([where, 'old'])
  if (onConflict === 'replace') expect([where, seen]).toEqual([where, [TARGET]])
}

function expectFinished(fixture: DownloadFixture, disk: SimulatedDisk, onConflict: OnConflict, where: unknown): void {
  expectWholeFiles(disk, onConflict, where)
  const [record] = fixture.checkpoints.records.values()
  const { targetPath } = record as DownloadRecord
  expect([where, contentAt(disk, targetPath)]).toEqual([where, 'whole'])
  const left = onConflict === 'keep-both' ? [join(FOLDER, 'set (1).bin'), TARGET] : [TARGET]
  expect([where, disk.list(FOLDER)]).toEqual([where, left])
}

/** Claims that the checkpoints hold are of bytes that are there, whatever happened. */
async function expectClaimsHold(fixture: DownloadFixture, disk: SimulatedDisk, where: unknown): Promise<void> {
  const [record] = fixture.checkpoints.records.values()
  const { id, partialPath } = record as DownloadRecord
  const content = disk.contentOf(partialPath ?? '')
  if (content === null) return
  for (const claim of await fixture.checkpoints.ranges(id)) {
    expect([where, crc32(content.subarray(claim.start, claim.end))]).toEqual([where, claim.crc32])
  }
}

/** One that is for a person, one that is waited out. */
const CODES = ['EIO', 'ENOSPC'] as const

test.each(CODES.flatMap((code) => [false, true].map((isPermanent) => ({ code, isPermanent }))))(
  'every file system call fails in turn with $code (permanently: $isPermanent); healed, the download ends well',
  async ({ code, isPermanent }) => {
    const fixture = await downloadFixture(null)
    for (const onConflict of WAYS) {
      for (let failing = 1, isReached = true; isReached; failing += 1) {
        const disk = await freshDisk(fixture, onConflict)
        let calls = 0
        let name = ''
        disk.onCall = (call, path) => {
          calls += 1
          if (calls === failing) name = `${call} ${path.slice(-5)}`
          if (isPermanent ? calls >= failing : calls === failing) throw systemError(code, call)
        }
        const outcome = await begin(fixture, disk).outcome
        const where = { onConflict, failing, name, outcome }
        expectWholeFiles(disk, onConflict, where)
        disk.onCall = () => undefined
        if (outcome.kind !== 'completed') {
          await expectClaimsHold(fixture, disk, where)
          fixture.restart()
          expect([where, await begin(fixture, disk).outcome]).toEqual([
            where,
            expect.objectContaining({ kind: 'completed' }),
          ])
          expectFinished(fixture, disk, onConflict, where)
        }
        isReached = calls >= failing
      }
    }
  },
  120_000,
)

test('after a power cut at any call, claims hold, names are whole, and the download ends well', async () => {
  const fixture = await downloadFixture(null)
  for (const onConflict of WAYS) {
    let isComplete = false
    for (let callsLeft = 0; !isComplete; callsLeft += 1) {
      const disk = await freshDisk(fixture, onConflict)
      isComplete = await cutAndGoOn(fixture, disk, onConflict, callsLeft, createRandom(callsLeft).next)
    }
  }
}, 120_000)

test('power cuts one after the other, at random calls and with random remains, end well', async () => {
  const fixture = await downloadFixture(null)
  const cuts = fc.array(fc.tuple(fc.nat(60), fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))), {
    minLength: 1,
    maxLength: 4,
  })
  const property = fc.asyncProperty(fc.constantFrom(...WAYS), cuts, async (onConflict, moments) => {
    const disk = await freshDisk(fixture, onConflict)
    for (const [callsLeft, remains] of moments) {
      const random = (): number => remains.next().value as number
      if (await cutAndGoOn(fixture, disk, onConflict, callsLeft, random, true)) return
    }
    expect(await begin(fixture, disk).outcome).toMatchObject({ kind: 'completed' })
    expectFinished(fixture, disk, onConflict, moments.length)
  })
  await fc.assert(property, { numRuns: 40 })
}, 120_000)

/** @returns whether the download was over before the power was gone. */
async function cutAndGoOn(
  fixture: DownloadFixture,
  disk: SimulatedDisk,
  onConflict: OnConflict,
  callsLeft: number,
  random: () => number,
  isCutAgain = false,
): Promise<boolean> {
  let calls = 0
  const spend = (): void => {
    calls += 1
    if (calls > callsLeft) throw new Error('The power is gone')
  }
  disk.onCall = spend
  fixture.checkpoints.onWrite = spend
  const outcome = await begin(fixture, disk).outcome
  disk.onCall = () => undefined
  const where = { onConflict, callsLeft }
  disk.cutPower(random)
  fixture.restart()
  expectWholeFiles(disk, onConflict, where)
  if (outcome.kind === 'completed') {
    expectFinished(fixture, disk, onConflict, where)
    return true
  }
  await expectClaimsHold(fixture, disk, where)
  if (isCutAgain) return false
  expect([where, await begin(fixture, disk).outcome]).toEqual([where, { kind: 'completed', verification: 'etag-md5' }])
  expectFinished(fixture, disk, onConflict, where)
  return false
}
