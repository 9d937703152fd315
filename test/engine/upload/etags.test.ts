import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { UploadPartRequest } from '../../../electron/stores/port/object-store.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'
import { MIB } from '../../../shared/limits.ts'
import { lostResponse } from '../../support/fakes/memory-store.ts'
import {
  PART,
  bySmallParts,
  completed,
  expectStored,
  failComplete,
  failed,
} from '../../support/worlds/upload-expectations.ts'
import { createUploadFolderWorld, uploadFolder } from '../../support/worlds/upload-folder-world.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const one = { ...bySmallParts, connections: 1 }

/** A service that names what it stores by something else, as with keys of its own, and says so nowhere. */
async function createOpaque(sizeBytes: number): Promise<UploadHarness> {
  const upload = await createUploadHarness(sizeBytes)
  upload.store.etagOf = opaqueEtag
  return upload
}

function opaqueEtag(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex').slice(0, 32)
}

/** The same, of a service whose answers to what creates an object say that its ETags are no MD5s. */
async function createTelling(sizeBytes: number): Promise<UploadHarness> {
  const upload = await createOpaque(sizeBytes)
  upload.store.after = ({ operation }) => {
    const tells = operation === 'createMultipartUpload' || operation === 'putObject'
    if (tells) upload.store.capabilities = { ...upload.store.capabilities, etagIsMd5: false }
  }
  return upload
}

/** Whether a hash went along, request by request; `look` may refuse one. */
function watchHashes(upload: UploadHarness, look: (request: UploadPartRequest) => void = () => undefined): string[] {
  const seen: string[] = []
  const { uploadPart } = upload.store
  upload.store.uploadPart = async (request) => {
    seen.push(`${String(request.partNumber)}${request.contentMd5 === undefined ? '' : ' hashed'}`)
    look(request)
    return await uploadPart.call(upload.store, request)
  }
  return seen
}

describe('ETags that are no MD5s', () => {
  test('are known as such after the first part, and each part is checked by its hash instead', async () => {
    const upload = await createOpaque(3 * PART)
    const sent = watchHashes(upload)
    expect(await upload.run(one)).toEqual(completed('size-only', 'no-checksum'))
    expect(sent).toEqual(['1', '1 hashed', '2 hashed', '3 hashed'])
    expect(upload.told).toMatchObject({ moved: 3 * PART, confirmed: 3 * PART })
    expectStored(upload)
  })

  test('are known again by the parts that an earlier run sent', async () => {
    const upload = await createOpaque(4 * PART)
    const pause = new AbortController()
    upload.store.before = ({ partNumber }) => {
      if (partNumber === 3) pause.abort('pause')
    }
    expect(await upload.run({ ...one, signal: pause.signal })).toEqual({ kind: 'stopped' })
    upload.store.before = () => undefined
    const sent = watchHashes(upload)
    expect(await upload.run(one)).toEqual(completed('size-only', 'no-checksum'))
    expect(sent).toEqual(['3 hashed', '4 hashed'])
    expectStored(upload)
  })

  test('leave a lost response to Complete to everything else that fits', async () => {
    const upload = await createOpaque(2 * PART)
    failComplete(upload, lostResponse(), 'after')
    expect(await upload.run(one)).toEqual(completed('evidence'))
    expectStored(upload)
  })

  test('of a file in one piece', async () => {
    const upload = await createOpaque(MIB)
    expect(await upload.run()).toEqual(completed('size-only', 'no-checksum'))
    expect(upload.store.count('putObject')).toBe(2)
    expect(upload.told).toMatchObject({ moved: MIB, confirmed: MIB })
  })

  test('are known as such once a response says so: no part is sent twice', async () => {
    const upload = await createTelling(2 * PART)
    const sent = watchHashes(upload)
    expect(await upload.run(one)).toEqual(completed('size-only', 'no-checksum'))
    expect(sent).toEqual(['1 hashed', '2 hashed'])
    expectStored(upload)
  })

  test('are known as such once the response to a file in one piece says so: it becomes one version', async () => {
    const upload = await createTelling(MIB)
    expect(await upload.run()).toEqual(completed('size-only', 'no-checksum'))
    expect(upload.store.count('putObject')).toBe(1)
    expect(upload.told).toMatchObject({ moved: MIB, confirmed: MIB })
  })

  test('that turn out to be MD5s after all: what was taken for sent is damaged, and sent again', async () => {
    const upload = await createUploadHarness(2 * PART)
    let damages = 2
    upload.store.etagOf = (bytes) => (damages-- > 0 ? opaqueEtag(bytes) : md5(bytes))
    expect(await upload.run(one)).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([1, 1, 2, 1])
    expect(upload.told).toMatchObject({ moved: 2 * PART, confirmed: 2 * PART })
    expectStored(upload)
  })

  test('of one part only are damage, however often it was sent before that was known', async () => {
    const upload = await createUploadHarness(2 * PART)
    const first = upload.bytes.subarray(0, PART)
    upload.store.etagOf = (bytes) => (first.equals(bytes) ? opaqueEtag(bytes) : md5(bytes))
    expect(await upload.run(one)).toEqual(failed('part-damaged'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })
})

test('a bucket that wants the hash of each part, as one that locks objects by default, gets it after the first refusal', async () => {
  const upload = await createUploadHarness(3 * PART)
  const refusal = new StoreError('MissingContentMD5', 'UploadPart was answered 400', { httpStatus: 400 })
  const sent = watchHashes(upload, ({ contentMd5 }) => {
    if (contentMd5 !== undefined) return
    upload.store.capabilities = { ...upload.store.capabilities, wantsContentMd5: true }
    throw refusal
  })
  expect(await upload.run(one)).toEqual(completed('etag-multipart'))
  expect(sent).toEqual(['1', '1 hashed', '2 hashed', '3 hashed'])
  expect(upload.told).toMatchObject({ moved: 3 * PART, confirmed: 3 * PART })
  expectStored(upload)
})

test('of small files of a folder: the server’s check of each hash is the proof', async () => {
  const world = await createUploadFolderWorld()
  world.proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'headers', set: { ETag: '"of-its-own-making"' } } })
  for (const name of ['one', 'two', 'three']) await world.write(name, name)
  const row = await uploadFolder(world, await world.open())
  expect(row).toMatchObject({ status: 'completed', verification: 'digest', items: { done: 3, failed: 0 } })
  expect(Object.values(await world.objects()).sort()).toEqual(['one', 'three', 'two'])
})

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
