import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { onTestFinished, describe, expect, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'
import { bytesOf, CREDENTIALS, openStore, signal } from '../../stores/support/open-store.ts'
import { startFaultProxy, type FaultProxy } from '../../support/fault-server/fault-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB
const SMALL_PART = 5 * MIB + 1
const bySmallParts = { partSizeBytes: PART }
const completed = (verification: string) => ({ kind: 'completed', verification })
const failed = (code: string) => ({ kind: 'failed', error: expect.objectContaining({ code }) as unknown })

interface Service {
  readonly proxy: FaultProxy
  readonly store: ObjectStore
}

async function startService(): Promise<Service> {
  const directory = await tempDir()
  const demo = await startDemoStore({ directory, buckets: ['demo'], credentials: CREDENTIALS })
  const proxy = await startFaultProxy({ target: demo.endpoint })
  onTestFinished(async () => {
    await proxy.close()
    await demo.close()
  })
  return { proxy, store: openStore(proxy.endpoint) }
}

async function expectStored({ store }: Service, upload: UploadHarness): Promise<void> {
  const result = await store.getObject({ key: upload.key, signal })
  const bytes = result.kind === 'content' ? await bytesOf(result.body) : Buffer.alloc(0)
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  expect(sha256(bytes)).toBe(sha256(upload.bytes))
  expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
}

const isComplete = { method: 'POST', query: { uploadId: true } }
const isPart = { method: 'PUT', query: { partNumber: true } }

test.each([0, 1, 5 * MIB, 5 * MIB + 1, 64 * MIB + 7])('%i bytes arrive as they are', async (sizeBytes) => {
  const service = await startService()
  const upload = await createUploadHarness(sizeBytes, 'ordner/ä +%/../x')
  expect(await upload.run({ store: service.store, connections: 4 })).toMatchObject({ kind: 'completed' })
  expect(upload.told).toMatchObject({ moved: sizeBytes, confirmed: sizeBytes })
  await expectStored(service, upload)
})

describe('Complete', () => {
  test('its response is lost after the server completed: done, and no part is sent again', async () => {
    const service = await startService()
    const lost = service.proxy.rule({ when: isComplete, times: 1, fault: { kind: 'drop-response' } })
    const upload = await createUploadHarness(3 * PART)
    expect(await upload.run({ ...bySmallParts, store: service.store })).toEqual(completed('etag-multipart'))
    expect(lost.hits).toBe(1)
    expect(service.proxy.requests(isPart)).toHaveLength(3)
    expect(service.proxy.requests({ method: 'DELETE' })).toHaveLength(0)
    await expectStored(service, upload)
  })

  test('a response of 200 with nothing, or an error, inside is looked into', async () => {
    const service = await startService()
    const error = JSON.stringify({ Error: { Code: 'InternalError', Message: 'We stumbled' } })
    service.proxy.rule({ when: { ...isComplete, attempt: 1 }, fault: { kind: 'response', status: 200, body: error } })
    service.proxy.rule({
      when: { ...isComplete, attempt: 2 },
      fault: { kind: 'response', status: 200, afterTarget: true },
    })
    const upload = await createUploadHarness(2 * PART)
    expect(await upload.run({ ...bySmallParts, store: service.store })).toEqual(completed('etag-multipart'))
    expect(service.proxy.requests(isComplete)).toHaveLength(2)
    await expectStored(service, upload)
  })

  test('a service of which nothing but the two documented operations remain finishes all the same', async () => {
    const service = await startService()
    const upload = await createUploadHarness(2 * PART)
    for (const when of [{ method: 'HEAD' }, { method: 'GET', query: { uploadId: true } }]) {
      service.proxy.rule({ when, fault: { kind: 'response', status: 501 } })
    }
    service.proxy.rule({ when: isComplete, times: 1, fault: { kind: 'drop-response' } })
    expect(await upload.run({ ...bySmallParts, store: service.store })).toEqual(completed('etag-multipart'))
  })
})

describe('a part', () => {
  test('cut off in the middle is sent again, the others are not', async () => {
    const service = await startService()
    const when = { ...isPart, query: { partNumber: 2 } }
    service.proxy.rule({ when, times: 2, fault: { kind: 'reset', at: { requestBytes: PART / 2 } } })
    const upload = await createUploadHarness(4 * PART)
    expect(await upload.run({ ...bySmallParts, store: service.store })).toEqual(completed('etag-multipart'))
    expect(service.proxy.requests(isPart)).toHaveLength(6)
    expect(upload.told).toMatchObject({ moved: 4 * PART, confirmed: 4 * PART })
    await expectStored(service, upload)
  })

  test('stopped in the middle stays unsent; the next run sends it and nothing that was finished', async () => {
    const service = await startService()
    const when = { ...isPart, query: { partNumber: 3 } }
    service.proxy.rule({ when, times: 1, fault: { kind: 'stall', at: { requestBytes: MIB } } })
    const upload = await createUploadHarness(4 * PART)
    const pause = new AbortController()
    const running = upload.run({ ...bySmallParts, connections: 1, store: service.store, signal: pause.signal })
    await service.proxy.seen(when)
    pause.abort('pause')
    expect(await running).toEqual({ kind: 'stopped' })
    expect(upload.told.moved).toBe(upload.told.confirmed)
    expect(await upload.run({ store: service.store })).toEqual(completed('etag-multipart'))
    expect(
      service.proxy.requests(isPart).map(({ url }) => new URL(url, 'http://x').searchParams.get('partNumber')),
    ).toEqual(['1', '2', '3', '4', '3'])
    await expectStored(service, upload)
  })

  test('whose response hangs while others come is sent again, and nothing waits for the watchdog', async () => {
    const service = await startService()
    // The answers to ten others tell what is usual.
    const when = { ...isPart, query: { partNumber: 11 } }
    const hung = service.proxy.rule({ when, times: 1, fault: { kind: 'stall', at: 'response' } })
    const upload = await createUploadHarness(11 * SMALL_PART)
    const deps = { ...upload.deps, clock: createSystemClock() }
    const run = upload.run({ deps, partSizeBytes: SMALL_PART, connections: 2, store: service.store })
    expect(await run).toEqual(completed('etag-multipart'))
    expect(hung.hits).toBe(1)
    expect(service.proxy.requests(isPart)).toHaveLength(12)
    expect(upload.told.waits).toEqual([])
    expect(upload.told.log).toContainEqual(expect.stringMatching(/^Part 11: Nothing moved for .* sending it again$/))
    expect(upload.told).toMatchObject({ moved: 11 * SMALL_PART, confirmed: 11 * SMALL_PART })
    await expectStored(service, upload)
  })

  test.each([2000, 100_000])(
    'that is the last one, and whose connection falls to %i bytes a second, is sent again',
    async (bytesPerSecond) => {
      const service = await startService()
      // More than the buffers of a connection hold.
      const partSizeBytes = 20 * MIB
      const when = { ...isPart, query: { partNumber: 5 } }
      const crawl = { kind: 'limit', bytesPerSecond, fromByte: MIB } as const
      const crawling = service.proxy.rule({ when, times: 1, fault: crawl })
      const upload = await createUploadHarness(5 * partSizeBytes)
      const deps = { ...upload.deps, clock: createSystemClock() }
      expect(await upload.run({ deps, partSizeBytes, store: service.store })).toEqual(completed('etag-multipart'))
      expect(crawling.hits).toBe(1)
      expect(service.proxy.requests(when)).toHaveLength(2)
      const why = /^Part 5: (Its connection crawls|Nothing moved for \d+ s); sending it again$/
      expect(upload.told.log).toContainEqual(expect.stringMatching(why))
      expect(upload.told).toMatchObject({ moved: 5 * partSizeBytes, confirmed: 5 * partSizeBytes })
      await expectStored(service, upload)
    },
  )

  test('of a file that became shorter is not sent as it is', async () => {
    const service = await startService()
    const upload = await createUploadHarness(3 * PART)
    const when = { ...isPart, query: { partNumber: 2 } }
    const cut = service.proxy.seen(when).then(() => truncate(upload.sourcePath, PART + MIB))
    service.proxy.rule({ when, times: 1, fault: { kind: 'stall', at: 'request', until: cut } })
    const run = upload.run({ ...bySmallParts, connections: 1, store: service.store })
    expect(await run).toEqual(failed('source-changed'))
    expect(service.proxy.requests(isComplete)).toHaveLength(0)
  })
})

test('an upload continues under another process’s client after the service was restarted', async () => {
  const directory = await tempDir()
  const options = { directory, buckets: ['demo'], credentials: CREDENTIALS }
  const upload = await createUploadHarness(4 * PART)
  const first = await startDemoStore(options)
  const proxy = await startFaultProxy({ target: first.endpoint })
  const when = { ...isPart, query: { partNumber: 3 } }
  proxy.rule({ when, fault: { kind: 'stall', at: 'request' } })
  const pause = new AbortController()
  const store = openStore(proxy.endpoint)
  const running = upload.run({ ...bySmallParts, connections: 1, store, signal: pause.signal })
  await proxy.seen(when)
  pause.abort('close')
  await running
  await proxy.close()
  await first.close()
  const second = await startDemoStore(options)
  onTestFinished(() => second.close())
  const again = openStore(second.endpoint)
  expect(await upload.run({ store: again })).toEqual(completed('etag-multipart'))
  expect(upload.told).toMatchObject({ found: 2 * PART, moved: 2 * PART })
})
