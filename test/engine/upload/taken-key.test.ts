import { describe, expect, test } from 'vitest'
import { lostResponse, refusal, type MemoryStore, type StoreCall } from '../../support/fakes/memory-store.ts'
import { completed, expectStored } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const MIB = 1024 * 1024
const THEIRS = Buffer.from('somebody’s')
const CONDITIONS = { put: true, complete: true }
const WAYS = [
  ['with conditions', CONDITIONS],
  ['without', undefined],
] as const

/** An upload whose key was free, or could not be looked at, when it was asked for: nothing may be replaced. */
async function uploadToFreeKey(sizeBytes: number, ifAbsent: typeof CONDITIONS | undefined): Promise<UploadHarness> {
  const upload = await createUploadHarness(sizeBytes)
  await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
  const { capabilities } = upload.store
  upload.store.capabilities = { ...capabilities, ...(ifAbsent === undefined ? {} : { ifAbsent }) }
  return upload
}

/** Somebody else makes the object just before, or after, the first request of this kind. */
function appears(store: MemoryStore, when: 'before' | 'after', operation: StoreCall['operation'], key: string): void {
  let isDone = false
  store[when] = (call) => {
    if (call.operation !== operation || isDone) return
    isDone = true
    store.place(key, THEIRS)
  }
}

function expectUntouched({ store, key }: UploadHarness): void {
  expect(store.objects.get(key)?.bytes.toString()).toBe(THEIRS.toString())
  expect(store.count('abortMultipartUpload')).toBe(0)
}

const conflict = {
  kind: 'failed',
  error: { code: 'conflict-on-server', dispute: { found: { sizeBytes: THEIRS.length } } },
}

describe.each(WAYS)('on a service %s', (_name, ifAbsent) => {
  test('an object that appears while the upload waits for its turn is found before anything is sent', async () => {
    for (const sizeBytes of [1000, 20 * MIB]) {
      const upload = await uploadToFreeKey(sizeBytes, ifAbsent)
      upload.store.place(upload.key, THEIRS)
      for (let round = 0; round < 2; round += 1) expect(await upload.run()).toMatchObject(conflict)
      expectUntouched(upload)
      expect(upload.store.count('putObject') + upload.store.count('createMultipartUpload')).toBe(0)
    }
  })

  test('one that appears while the parts are sent is not replaced', async () => {
    const upload = await uploadToFreeKey(20 * MIB, ifAbsent)
    appears(upload.store, 'after', 'uploadPart', upload.key)
    expect(await upload.run({ partSizeBytes: 10 * MIB })).toMatchObject(conflict)
    expectUntouched(upload)
    expect(upload.store.uploads.size).toBe(1)
    expect(upload.record().intent).toBeNull()
  })

  test('nor is one that appears while completing waits for a busy service', async () => {
    const upload = await uploadToFreeKey(20 * MIB, ifAbsent)
    appears(upload.store, 'before', 'completeMultipartUpload', upload.key)
    const { before } = upload.store
    let isBusy = true
    upload.store.before = (call) => {
      void before(call)
      if (call.operation !== 'completeMultipartUpload' || !isBusy) return
      isBusy = false
      throw refusal('SlowDown', 429)
    }
    expect(await upload.run({ partSizeBytes: 10 * MIB })).toMatchObject(conflict)
    expectUntouched(upload)
  })

  test('what the upload itself made is none of somebody else’s, though the response was lost', async () => {
    for (const [sizeBytes, operation] of [
      [1000, 'putObject'],
      [20 * MIB, 'completeMultipartUpload'],
    ] as const) {
      const upload = await uploadToFreeKey(sizeBytes, ifAbsent)
      let isLost = false
      upload.store.after = (call) => {
        if (call.operation !== operation || isLost) return
        isLost = true
        throw lostResponse()
      }
      expect(await upload.run({ partSizeBytes: 10 * MIB })).toMatchObject({ kind: 'completed' })
      expectStored(upload)
    }
  })

  test('where nobody may look, it is sent', async () => {
    const upload = await uploadToFreeKey(1000, ifAbsent)
    upload.store.before = ({ operation }) => {
      if (operation === 'headObject') throw refusal('AccessDenied', 403)
    }
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
    expectStored(upload)
  })
})

test.each([
  ['putObject', 1000],
  ['completeMultipartUpload', 20 * MIB],
] as const)('what appears at the very moment of %s is refused by the service', async (operation, sizeBytes) => {
  const upload = await uploadToFreeKey(sizeBytes, CONDITIONS)
  appears(upload.store, 'before', operation, upload.key)
  expect(await upload.run({ partSizeBytes: 10 * MIB })).toMatchObject(conflict)
  expectUntouched(upload)
  expect(upload.store.count(operation)).toBe(1)
  // What was refused was certainly not carried out.
  expect(upload.record().intent).toBeNull()
})

test.each(['PreconditionFailed', 'ConditionalRequestConflict'])(
  '%s with nothing there is tried again',
  async (code) => {
    const upload = await uploadToFreeKey(20 * MIB, CONDITIONS)
    let isRefused = false
    upload.store.before = ({ operation }) => {
      if (operation !== 'completeMultipartUpload' || isRefused) return
      isRefused = true
      throw refusal(code, code === 'PreconditionFailed' ? 412 : 409)
    }
    expect(await upload.run({ partSizeBytes: 10 * MIB })).toEqual(completed('etag-multipart'))
    expectStored(upload)
  },
)

test('a condition that the service never takes ends the upload', async () => {
  const upload = await uploadToFreeKey(1000, CONDITIONS)
  upload.store.before = ({ operation }) => {
    if (operation === 'putObject') throw refusal('PreconditionFailed', 412)
  }
  expect(await upload.run()).toMatchObject({ kind: 'failed', error: { code: 'refused-by-server' } })
  expect(upload.store.count('putObject')).toBeLessThan(5)
})

test('where ETags tell nothing, its mark tells its own object from one that appeared', async () => {
  for (const isOurs of [true, false]) {
    const upload = await uploadToFreeKey(1000, CONDITIONS)
    upload.store.capabilities = { ...upload.store.capabilities, etagIsMd5: false, metadata: true }
    let isLost = false
    upload.store.after = ({ operation }) => {
      if (operation !== 'putObject' || isLost) return
      isLost = true
      throw lostResponse()
    }
    if (!isOurs) appears(upload.store, 'before', 'putObject', upload.key)
    expect(await upload.run()).toMatchObject(isOurs ? completed('evidence') : conflict)
    if (!isOurs) expectUntouched(upload)
  }
})

test('a damaged object of its own is sent again', async () => {
  const upload = await uploadToFreeKey(1000, CONDITIONS)
  let sends = 0
  const { etagOf } = upload.store
  upload.store.etagOf = (bytes) => ((sends += 1) === 1 ? '0'.repeat(32) : etagOf(bytes))
  expect(await upload.run()).toEqual(completed('etag-md5'))
  expectStored(upload)
})

test('what is to replace whatever is there does so', async () => {
  const upload = await uploadToFreeKey(20 * MIB, CONDITIONS)
  await upload.checkpoints.update(upload.record().id, { onConflict: 'replace' })
  appears(upload.store, 'before', 'completeMultipartUpload', upload.key)
  expect(await upload.run({ partSizeBytes: 10 * MIB })).toEqual(completed('etag-multipart'))
  expectStored(upload)
})
