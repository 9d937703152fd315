// What a download of the largest object costs: work that grows with the claims may be done once, never for each unit or
// commit. Looks at claims are counted, not time.

import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DownloadRecord, RangeRecord } from '../../../electron/engine/core/records.ts'
import type { RunContext } from '../../../electron/engine/core/run.ts'
import { ClaimLedger } from '../../../electron/engine/partial-file/claim-ledger.ts'
import { ClaimSet, MAX_CLAIM_BYTES } from '../../../electron/engine/partial-file/claims.ts'
import { PartialFile } from '../../../electron/engine/partial-file/partial-file.ts'
import { SEGMENT_SIZE_BYTES } from '../../../shared/limits.ts'
import { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import { downloadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const TIB = 2 ** 40
const SIZE = 5 * TIB
/** Nine tenths of it are there, but for one claim in the middle. */
const COUNT = Math.floor((0.9 * SIZE) / MAX_CLAIM_BYTES)
const GAP = Math.floor(COUNT / 2)

/** Claims that count how often anybody looks where one begins or ends. */
function countedClaims() {
  const looks = { count: 0 }
  const claims = Array.from({ length: COUNT }, (_, index): RangeRecord => {
    const start = index * MAX_CLAIM_BYTES
    return {
      get start() {
        looks.count += 1
        // Fails soon, rather than after minutes.
        if (looks.count > 100 * COUNT) throw new Error('The claims are looked through again and again')
        return start
      },
      get end() {
        looks.count += 1
        return start + MAX_CLAIM_BYTES
      },
      crc32: index,
    }
  })
  claims.splice(GAP, 1)
  return { claims, looks }
}

async function ledgerOf(claims: readonly RangeRecord[]) {
  const checkpoints = new MemoryCheckpoints()
  const record = downloadRecord({})
  await checkpoints.insert([record])
  const units = new Map<number, string>()
  const context = {
    record,
    deps: { clock: { monotonicMs: () => 0 }, checkpoints },
    report: {
      unit: (index: number, state: string) => void units.set(index, state),
      confirmed: () => undefined,
      moved: () => undefined,
    },
  } as unknown as RunContext<DownloadRecord>
  const file = await PartialFile.create(fs, join(await tempDir(), 'file.part'))
  const ledger = new ClaimLedger(context, file, { durable: new ClaimSet(claims), sizeBytes: SIZE, isHeldBack: false })
  return { ledger, units, checkpoints, record, close: () => file.close() }
}

test('a download of 5 TiB is gone on with after a few looks at each claim', async () => {
  const { claims, looks } = countedClaims()
  const { ledger, units, close } = await ledgerOf(claims)
  ledger.reportFound()
  const perClaim = MAX_CLAIM_BYTES / SEGMENT_SIZE_BYTES
  expect(units.size).toBe(claims.length * perClaim)
  expect(new Set(units.values())).toEqual(new Set(['found']))
  expect(units.has(GAP * perClaim)).toBe(false)
  expect(looks.count).toBeLessThan(20 * claims.length)
  await close()
})

test('a commit of a download of 5 TiB looks at few claims, and records no others', async () => {
  const { claims, looks } = countedClaims()
  const { ledger, units, checkpoints, record, close } = await ledgerOf(claims)
  looks.count = 0
  const start = GAP * MAX_CLAIM_BYTES
  ledger.wrote(start, [Buffer.alloc(10)])
  ledger.wrote(start + MAX_CLAIM_BYTES / 2, [Buffer.alloc(10)])
  await ledger.commit()
  expect(looks.count).toBeLessThan(1000)
  expect(await checkpoints.ranges(record.id)).toMatchObject([
    { start, end: start + 10 },
    { start: start + MAX_CLAIM_BYTES / 2, end: start + MAX_CLAIM_BYTES / 2 + 10 },
  ])
  expect([...units.values()]).toEqual(['begun', 'begun'])
  expect(ledger.missing().at(0)).toEqual({ start: start + 10, end: start + MAX_CLAIM_BYTES / 2 })
  await close()
})

test('what is noted of a download of 5 TiB is compared with few claims each', () => {
  const { claims, looks } = countedClaims()
  const set = new ClaimSet(claims)
  looks.count = 0
  const noteBytes = MAX_CLAIM_BYTES / 2
  const notes = Array.from({ length: 2 * COUNT }, (_, index) => ({
    start: index * noteBytes,
    end: (index + 1) * noteBytes,
  }))
  expect(notes.filter((note) => !set.overlaps(note))).toEqual(notes.slice(2 * GAP, 2 * GAP + 2))
  expect(looks.count).toBeLessThan(20 * notes.length * Math.log2(COUNT))
})
