import { writeFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createOpenUploads } from '../../../electron/engine/multipart/open-uploads.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { LOST_UPLOAD_READ_BACK_MS, MIB } from '../../../shared/limits.ts'
import { CREDENTIALS, openStore, signal } from '../../stores/support/open-store.ts'
import { lostResponse, refusal, type MemoryStore, type StoreCall } from '../../support/fakes/memory-store.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { completed } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB
const byParts = { partSizeBytes: PART }

/** Somebody does `act` before the first request of this kind. */
function meanwhile({ store }: { store: MemoryStore }, operation: StoreCall['operation'], act: () => void): void {
  let isDone = false
  store.before = (call) => {
    if (call.operation !== operation || isDone) return
    isDone = true
    act()
  }
}

async function uploadOf(sizeBytes: number, onConflict: 'fail' | 'replace'): Promise<UploadHarness> {
  const upload = await createUploadHarness(sizeBytes)
  await upload.checkpoints.update(upload.record().id, { onConflict })
  return upload
}

/** What is still open is to be aborted, and forgotten: a stop before the row is done would count it as canceled. */
function expectNothingOpen({ store, record, abandoned }: UploadHarness): void {
  // The queue of the engine aborts it.
  expect([...store.uploads.keys()]).toEqual(abandoned.map((due) => due.uploadId))
  for (const { uploadId } of abandoned) expect(record().uploadId).not.toBe(uploadId)
}

describe('another writer of the same content', () => {
  test.each([1000, 3 * PART])('of %i bytes who makes the object that may not be replaced: it is done', async (size) => {
    for (const operation of size > PART ? (['uploadPart', 'completeMultipartUpload'] as const) : []) {
      const upload = await uploadOf(size, 'fail')
      upload.store.capabilities = { ...upload.store.capabilities, ifAbsent: { put: true, complete: true } }
      meanwhile(upload, operation, () => upload.store.place(upload.key, upload.bytes))
      expect(await upload.run(byParts)).toEqual(completed('etag-md5'))
      expectNothingOpen(upload)
    }
    const upload = await uploadOf(size, 'fail')
    upload.store.place(upload.key, upload.bytes)
    expect(await upload.run(byParts)).toEqual(completed('etag-md5'))
    expect(upload.store.count('putObject') + upload.store.count('createMultipartUpload')).toBe(0)
  })

  test('who completes the very upload while its parts are sent: it is done', async () => {
    const upload = await uploadOf(3 * PART, 'replace')
    meanwhile(upload, 'uploadPart', () => {
      upload.store.uploads.clear()
      upload.store.place(upload.key, upload.bytes)
    })
    expect(await upload.run(byParts)).toEqual(completed('etag-md5'))
    expectNothingOpen(upload)
  })

  test('who is just completing it: the object is waited for', async () => {
    const upload = await uploadOf(3 * PART, 'replace')
    let goneAtMs: number | null = null
    meanwhile(upload, 'uploadPart', () => {
      upload.store.uploads.clear()
      goneAtMs = upload.clock.monotonicMs()
    })
    const { before } = upload.store
    upload.store.before = async (call) => {
      await before(call)
      const isMade = goneAtMs !== null && upload.clock.monotonicMs() - goneAtMs > LOST_UPLOAD_READ_BACK_MS / 2
      if (isMade && call.operation === 'headObject') upload.store.place(upload.key, upload.bytes)
    }
    expect(await upload.run(byParts)).toEqual(completed('etag-md5'))
  })

  test('who replaces the object just after it was completed: it is done', async () => {
    const upload = await uploadOf(3 * PART, 'replace')
    upload.store.after = ({ operation }) => {
      if (operation === 'completeMultipartUpload') upload.store.place(upload.key, upload.bytes)
    }
    expect(await upload.run(byParts)).toEqual(completed('etag-md5'))
    expectNothingOpen(upload)
  })

  test('whose object stands beside an unfinished upload: nobody is asked', async () => {
    const upload = await uploadOf(3 * PART, 'replace')
    const deps = { ...upload.deps, openUploads: createOpenUploads(upload.clock) }
    upload.store.placeUpload(upload.key, { 1: upload.bytes.subarray(0, PART) })
    upload.store.place(upload.key, upload.bytes)
    expect(await upload.run({ ...byParts, deps })).toEqual(completed('etag-md5'))
    // It is somebody else's.
    expect([upload.store.uploads.size, upload.abandoned]).toEqual([1, []])
  })

  describe('whose object is there when Complete was lost on its way', () => {
    /** @param isRefused whether a look at our upload is refused, by its number since then. */
    async function overtaken(isRefused: (look: number) => boolean): Promise<UploadHarness> {
      const upload = await uploadOf(2 * PART, 'replace')
      const other = await createUploadHarness(0, upload.key)
      await writeFile(other.sourcePath, upload.bytes)
      let state: 'before' | 'losing' | 'lost' = 'before'
      let looks = 0
      upload.store.before = async ({ operation }) => {
        if (operation === 'completeMultipartUpload' && state === 'before') {
          state = 'losing'
          expect(await other.run({ ...byParts, store: upload.store })).toEqual(completed('etag-multipart'))
          state = 'lost'
          throw lostResponse()
        }
        if (operation === 'listParts' && state === 'lost' && isRefused(looks++)) throw refusal('AccessDenied', 403)
      }
      return upload
    }

    test.each([
      ['each', () => false],
      ['every other', (look: number) => look % 2 === 0],
    ])('and %s look is allowed: the upload is not left open', async (_, isRefused) => {
      const upload = await overtaken(isRefused)
      const startMs = upload.clock.monotonicMs()
      expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
      expectNothingOpen(upload)
      expect(upload.abandoned).toHaveLength(1)
      // The service may still have been carrying it out.
      expect(upload.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(LOST_UPLOAD_READ_BACK_MS)
      expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
    })

    test('and nobody may look: the upload is left alone, for it may be being completed', async () => {
      const upload = await overtaken(() => true)
      expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
      expect([upload.store.uploads.size, upload.abandoned]).toEqual([1, []])
    })
  })
})

describe.each(['replace', 'fail'] as const)('asked to %s what is there', (onConflict) => {
  test.each([2, 4])('%i writers of one file at once are all done, and leave nothing open', async (writers) => {
    const demo = await startDemoStore({ directory: await tempDir(), buckets: ['demo'], credentials: CREDENTIALS })
    const proxy = await startFaultProxy({ target: demo.endpoint })
    onTestFinished(async () => {
      await proxy.close()
      await demo.close()
    })
    const first = await uploadOf(3 * PART, onConflict)
    const others = Array.from({ length: writers - 1 }, async () => {
      const other = await uploadOf(0, onConflict)
      await writeFile(other.sourcePath, first.bytes)
      return other
    })
    const store = openStore(proxy.endpoint)
    // None completes before all have begun.
    let begun = 0
    const all = new Promise<void>((resolve) => {
      const first = () => (begun += 1) === writers && resolve()
      proxy.rule({ when: { method: 'PUT', query: { partNumber: 3 } }, first, fault: NO_FAULT })
    })
    proxy.rule({
      when: { method: 'POST', query: { uploadId: true } },
      fault: { kind: 'stall', at: 'request', until: all },
    })
    const uploads = [first, ...(await Promise.all(others))]
    const outcomes = await Promise.all(
      uploads.map((upload) => upload.run({ ...byParts, store, deps: { ...upload.deps, clock: createSystemClock() } })),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(uploads.map(() => 'completed'))
    for (const { abandoned } of uploads)
      for (const { key, uploadId } of abandoned) await store.abortMultipartUpload({ key, uploadId, signal })
    expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
  })
})

const NO_FAULT = { kind: 'delay', at: 'request', delayMs: 0 } as const
