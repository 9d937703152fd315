import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adoptMatch } from '../../../electron/engine/core/new-records.ts'
import { matchUploads, planOfParts } from '../../../electron/engine/multipart/match-uploads.ts'
import { MIB } from '../../../shared/limits.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB

function partsOf({ bytes }: UploadHarness, partNumbers: readonly number[]): Record<number, Buffer> {
  return Object.fromEntries(
    partNumbers.map((partNumber) => [partNumber, bytes.subarray((partNumber - 1) * PART, partNumber * PART)]),
  )
}

describe('an unfinished upload of the server', () => {
  test('with gaps in its numbers is proven by the file and continued', async () => {
    const upload = await createUploadHarness(4 * PART + 9)
    const uploadId = upload.store.placeUpload(upload.key, partsOf(upload, [1, 3, 5]))
    const [match] = await matchUploads(upload.context(), upload.key, upload.sourcePath)
    expect(match).toMatchObject({ uploadId, plan: { partSizeBytes: PART, partCount: 5 }, differing: [] })
    expect(match?.proven.map((part) => part.partNumber)).toEqual([1, 3, 5])
    await adopt(upload, match)
    expect(await upload.run()).toEqual({ kind: 'completed', verification: 'etag-multipart' })
    expect(upload.store.count('createMultipartUpload')).toBe(0)
    expect([...upload.store.partsSent()].sort()).toEqual([2, 4])
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
  })

  test('with parts of another file: they are named, and sent again when it is continued all the same', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.store.placeUpload(upload.key, { ...partsOf(upload, [1]), 2: randomBytes(PART) })
    const [match] = await matchUploads(upload.context(), upload.key, upload.sourcePath)
    expect(match).toMatchObject({ differing: [2] })
    await adopt(upload, match)
    await upload.run()
    expect([...upload.store.partsSent()].sort()).toEqual([2, 3])
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
  })

  test('one of two of the same key: the one with more proven bytes first, keys that only begin the same never', async () => {
    const upload = await createUploadHarness(3 * PART)
    const less = upload.store.placeUpload(upload.key, partsOf(upload, [1]))
    const more = upload.store.placeUpload(upload.key, partsOf(upload, [1, 2]))
    upload.store.placeUpload(`${upload.key}.bak`, partsOf(upload, [1, 2, 3]))
    upload.store.pageSize = 1
    const matches = await matchUploads(upload.context(), upload.key, upload.sourcePath)
    expect(matches.map((match) => match.uploadId)).toEqual([more, less])
    await adopt(upload, matches[0])
    await upload.run()
    expect(upload.store.uploads.has(less)).toBe(true)
    expect(upload.store.uploads.has(more)).toBe(false)
  })

  test('an upload that can’t have been cut from this file is no match', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.store.placeUpload(upload.key, { 1: randomBytes(PART), 2: randomBytes(PART + 1), 3: randomBytes(PART) })
    expect(await matchUploads(upload.context(), upload.key, upload.sourcePath)).toEqual([])
  })
})

describe('the plan that parts follow', () => {
  const limits = { minPartSizeBytes: 5 * MIB, maxPartCount: 10_000 }
  const plan = (parts: Record<number, number>, sizeBytes: number) =>
    planOfParts(
      Object.entries(parts).map(([n, bytes]) => ({
        partNumber: Number(n),
        sizeBytes: bytes,
        etag: '',
        lastModified: null,
      })),
      sizeBytes,
      limits,
    )

  test.each([
    ['all parts', { 1: PART, 2: PART, 3: 5 }, 2 * PART + 5, { partSizeBytes: PART, partCount: 3 }],
    ['the last part alone', { 3: 5 }, 2 * PART + 5, { partSizeBytes: PART, partCount: 3 }],
    ['one part that is the file', { 1: 5 }, 5, { partSizeBytes: 5, partCount: 1 }],
    ['no part', {}, 12 * MIB, { partSizeBytes: 5 * MIB + MIB / 16, partCount: 3 }],
    ['no part of a small file', {}, 5, null],
    ['parts of 5 MiB, which the service would refuse', { 1: 5 * MIB }, 20 * MIB, null],
    ['a number beyond the file', { 1: PART, 9: PART }, 3 * PART, null],
    ['more parts than allowed', { 1: PART }, 10_001 * PART, null],
    ['a file that is smaller', { 1: PART }, PART - 1, null],
  ])('%s', (_, parts, sizeBytes, expected) => {
    expect(plan(parts, sizeBytes)).toEqual(expected)
  })
})

async function adopt(upload: UploadHarness, match: Parameters<typeof adoptMatch>[0] | undefined): Promise<void> {
  if (match === undefined) throw new Error('There is no match')
  const { changes, parts } = adoptMatch(match)
  await upload.checkpoints.update(upload.record().id, changes)
  await upload.checkpoints.putParts(upload.record().id, parts)
}
