import { expect, test } from 'vitest'
import { parseJsonObject } from '../../electron/stores/messages/error-responses.ts'
import { unlessPage } from '../../electron/stores/messages/web-page.ts'
import { parseXml } from '../../electron/stores/messages/xml.ts'
import type { ObjectStore } from '../../electron/stores/port/object-store.ts'
import { startScript } from '../support/servers/scripted-server.ts'
import { bodyOf, openStore, signal } from '../stores/support/open-store.ts'
import { openS3 } from '../stores/s3/support/open-s3.ts'
import { MIB } from '../../shared/limits.ts'

const upload = { key: 'k', uploadId: 'u', signal }
/** Every verb whose answer is a message, not content. */
const VERBS: readonly [string, (store: ObjectStore) => Promise<unknown>][] = [
  ['listObjects', (store) => store.listObjects({ signal })],
  ['listParts', (store) => store.listParts(upload)],
  ['listMultipartUploads', (store) => store.listMultipartUploads({ signal })],
  ['createMultipartUpload', (store) => store.createMultipartUpload({ key: 'k', signal })],
  [
    'completeMultipartUpload',
    (store) => store.completeMultipartUpload({ ...upload, parts: [{ partNumber: 1, etag: 'e' }] }),
  ],
  ['putObject', (store) => store.putObject({ key: 'k', body: bodyOf(Buffer.from('x')), signal })],
]

test.each([200, 500])('no verb reads a message of 50 MB that is answered with %i', async (status) => {
  const { endpoint } = await startScript([{ status, body: Buffer.alloc(50 * MIB, 'x') }])
  for (const store of [openStore(endpoint), openS3(endpoint)]) {
    for (const [verb, ask] of VERBS) {
      const before = process.memoryUsage().arrayBuffers
      const failure: unknown = await ask(store).catch((error: unknown) => error)
      expect(failure, verb).toMatchObject({ name: 'StoreError' })
      // The largest page that is read is of 8 MiB, and joined once.
      expect(process.memoryUsage().arrayBuffers - before, verb).toBeLessThan(40 * MIB)
    }
  }
})

test.each([
  ['levels', '<a>'.repeat(2_500_000)],
  ['levels that are closed', `${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}`],
  ['elements', `<a>${'<b/>'.repeat(2_000_000)}</a>`],
  ['comments', `<a>${'<!---->'.repeat(1_000_000)}</a>`],
])('XML of more %s than any service writes is no response', (_what, document) => {
  expect(parseXml(document)).toBeNull()
})

test('JSON of more levels or objects than any service writes is no response', () => {
  expect(parseJsonObject(`{"Contents":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}`)).toBeNull()
  expect(parseJsonObject(`{"Contents":[${'{},'.repeat(2_000_000)}{}]}`)).toBeNull()
  expect(parseJsonObject(`{"Message":"${'[{\\"'.repeat(100_000)}"}`)).not.toBeNull()
})

test('a page of comments that never gets to its content is told apart from a file at once', async () => {
  const bytes = Buffer.from(`${'<!---->'.repeat(140)}x`)
  async function* body(): AsyncGenerator<Uint8Array, undefined> {
    await Promise.resolve()
    yield bytes
  }
  const headers = new Map([
    ['content-type', 'text/html'],
    ['etag', '"e"'],
  ])
  const response = { status: 200, headers, body: body() }
  expect((await unlessPage(response, { name: 'a.zip', hasVersion: true })).status).toBe(200)
})
