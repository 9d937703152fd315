import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAGE_BYTES } from '../../electron/engine/checkpoint/database/empty-database.ts'
import { readFreePages, readPageRows } from '../../electron/engine/checkpoint/page-rows.ts'
import {
  decodeAbort,
  decodeTransfer,
  readableHistory,
  readableItems,
  readableParts,
  readablePlanPage,
  readableRanges,
  readableSent,
} from '../../electron/engine/checkpoint/tables/record-codec.ts'
import { downloadRecord, folderItem, folderRecord, uploadRecord } from '../support/fakes/records.ts'
import { almost, expectNoPollution, hostileJson, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const RECORDS = [uploadRecord(), downloadRecord(), folderRecord()]
const json = (...good: readonly unknown[]) => {
  const values = fc.oneof(hostileJson, ...good.map(almost)).map((value) => JSON.stringify(value) as string | undefined)
  return fc.oneof(
    values.map((text) => text ?? 'undefined'),
    hostileText,
  )
}

test('a record is either a transfer of a known kind and state, or the reason why it is not', () => {
  fc.assert(
    fc.property(json(...RECORDS), (text) => {
      const decoded = decodeTransfer(text)
      if ('reason' in decoded) {
        expect(decoded.reason).not.toBe('')
        return
      }
      expect(['upload', 'download', 'folder', 'upload-folder']).toContain(decoded.value.direction)
      expect(decoded.value.id).not.toBe('')
    }),
    { numRuns: 500 },
  )
})

test('what stands beside a record is read as far as it makes sense', () => {
  const part = { partNumber: 1, sizeBytes: 7, etag: 'e', md5: '0'.repeat(32) }
  const abort = { location: uploadRecord().location, key: 'k', uploadId: 'u' }
  fc.assert(
    fc.property(json([folderItem('a')], abort, [1, [['a', 1, 2]]]), fc.array(almost(part)), (text, parts) => {
      readableHistory(text)
      readablePlanPage(text)
      decodeAbort(text)
      expect([readableItems(text), readableSent(text)].every(Array.isArray)).toBe(true)
      expect(readableParts(parts).every(({ partNumber, sizeBytes }) => partNumber >= 1 && sizeBytes >= 0)).toBe(true)
      expect(readableRanges(parts)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('a page of arbitrary bytes gives some rows or no rows, in time bounded by its size', async () => {
  const kind = fc.constantFrom(0x02, 0x05, 0x0a, 0x0d)
  const page = fc.tuple(kind, fc.uint8Array({ minLength: 60, maxLength: 400 })).map(([first, bytes]) => {
    const content = Buffer.alloc(PAGE_BYTES)
    for (let at = 0; at < PAGE_BYTES; at += bytes.length) content.set(bytes.subarray(0, PAGE_BYTES - at), at)
    content[0] = first
    return content
  })
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 5 }), async (pages) => {
      let reads = 0
      const read = (number: number) => {
        reads += 1
        return Promise.resolve(pages[number - 1] ?? null)
      }
      await readFreePages(pages.length, read, () => 0)
      for (let number = 1; number <= pages.length; number += 1) {
        const { rows } = await readPageRows(number, pages.length, read)
        expect(rows.length).toBeLessThan(PAGE_BYTES)
      }
      // Each row may lead through every page once.
      expect(reads).toBeLessThan((PAGE_BYTES / 2) * pages.length * (pages.length + 2))
    }),
    { numRuns: 100 },
  )
})
