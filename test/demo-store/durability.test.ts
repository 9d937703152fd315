import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { buildEntry } from '../support/tools/build-entry.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import {
  complete,
  contentFiles,
  eventually,
  createUpload,
  json,
  md5,
  noise,
  put,
  startStore,
  uploadPart,
} from './support/fixture.ts'
import { RawClient } from './support/raw-client.ts'

const ANONYMOUS = { buckets: ['demo'], credentials: null } as const
const ROUNDS = 12

let entry = ''
beforeAll(async () => {
  entry = await buildEntry(join(import.meta.dirname, 'support/serve.child.ts'))
})

interface Served {
  readonly process: ChildProcess
  readonly client: RawClient
  readonly killed: Promise<unknown>
}

async function serve(directory: string): Promise<Served> {
  const child = spawn(process.execPath, [entry, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const killed = once(child, 'exit')
  const [endpoint] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, client: new RawClient(endpoint.toString().trim()), killed }
}

/** What a client knows to be stored, and what it was about to store when the service died. */
class Ledger {
  readonly confirmed = new Map<string, string>()
  readonly attempted = new Map<string, Set<string>>()

  attempt(name: string, etag: string): void {
    this.attempted.set(name, new Set([...(this.attempted.get(name) ?? []), etag]))
  }

  confirm(name: string, etag: string): void {
    this.confirmed.set(name, etag)
    this.attempted.delete(name)
  }

  /** What may be there now: the confirmed version, or one that was on its way. */
  possible(name: string): readonly (string | undefined)[] {
    return [this.confirmed.get(name), ...(this.attempted.get(name) ?? [])]
  }
}

/** Stores objects and parts in one lane until the service is gone. */
async function storeUntilKilled(
  client: RawClient,
  lane: number,
  ledger: Ledger,
  onConfirmed: () => void,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const body = noise(50_000 + ((turn * 97_003) % 900_000))
    const etag = `"${md5(body)}"`
    const name = `/demo/put-${lane}-${turn % 3}`
    ledger.attempt(name, etag)
    if ((await put(client, name, body)).status === 200) ledger.confirm(name, etag)
    onConfirmed()

    const joined = `/demo/joined-${lane}`
    const uploadId = await createUpload(client, joined)
    await uploadPart(client, joined, uploadId, 1, body)
    onConfirmed()
    const joinedEtag = `"${md5(Buffer.from(md5(body), 'hex'))}-1"`
    ledger.attempt(joined, joinedEtag)
    if ((await complete(client, joined, uploadId, [[1, etag]])).status === 200) ledger.confirm(joined, joinedEtag)
    onConfirmed()
  }
}

describe('kill -9', () => {
  it('loses nothing that was confirmed and shows nothing half-written', async () => {
    const directory = await tempDir()
    const ledger = new Ledger()
    for (let round = 0; round < ROUNDS; round++) {
      const { process: child, client, killed } = await serve(directory)
      await expectWhole(client, ledger)
      let left = 3 + round * 4
      const onConfirmed = (): void => {
        if (--left === 0) child.kill('SIGKILL')
      }
      const lanes = Array.from({ length: 6 }, (_, lane) => storeUntilKilled(client, lane, ledger, onConfirmed))
      await Promise.allSettled(lanes)
      await killed
      client.close()
    }
    const { client } = await serve(directory)
    await expectWhole(client, ledger)
    await expectNoLeftovers(client, directory)
  }, 120_000)

  it('keeps the parts of an unfinished upload', async () => {
    const directory = await tempDir()
    const first = await serve(directory)
    const uploadId = await createUpload(first.client, '/demo/key', { 'Content-Type': 'text/plain' })
    const [one, two] = [noise(6_000_000), noise(100)]
    const oneEtag = await uploadPart(first.client, '/demo/key', uploadId, 1, one)
    const twoEtag = await uploadPart(first.client, '/demo/key', uploadId, 2, two)
    first.process.kill('SIGKILL')
    await first.killed

    const { client } = await serve(directory)
    const response = await complete(client, '/demo/key', uploadId, [[1, oneEtag], [2, twoEtag]]) // prettier-ignore
    expect(response.status).toBe(200)
    const { body, headers } = await client.send({ path: '/demo/key' })
    expect(body.equals(Buffer.concat([one, two]))).toBe(true)
    expect(headers['content-type']).toBe('text/plain')
  })
})

/** Every object has the bytes that its ETag names, and is one that may be there. */
async function expectWhole(client: RawClient, ledger: Ledger): Promise<void> {
  const names = new Set([...ledger.confirmed.keys(), ...ledger.attempted.keys()])
  for (const name of names) {
    const { status, body, headers } = await client.send({ path: name })
    const digest = md5(body)
    const etag = name.includes('joined') ? `"${md5(Buffer.from(digest, 'hex'))}-1"` : `"${digest}"`
    expect(ledger.possible(name)).toContain(status === 200 ? headers.etag : undefined)
    expect(status === 200 ? headers.etag : etag).toBe(etag)
    if (status === 200) ledger.confirm(name, etag)
  }
}

async function expectNoLeftovers(client: RawClient, directory: string): Promise<void> {
  const { Contents } = json(await client.send({ path: '/demo/' })) as unknown as { Contents: unknown[] }
  const { Uploads } = json(await client.send({ path: '/demo/?uploads' })) as unknown as {
    Uploads: { Key: string; UploadId: string }[]
  }
  let parts = 0
  for (const { Key, UploadId } of Uploads) {
    const page = json(await client.send({ path: `/demo/${Key}?uploadId=${UploadId}` })) as unknown as {
      Parts: unknown[]
    }
    parts += page.Parts.length
  }
  await eventually(async () => (await contentFiles(directory)).length).toBe(Contents.length + parts)
}

describe('A restart', () => {
  it('keeps objects, uploads, types and times', async () => {
    const directory = await tempDir()
    const store = await startDemoStore({ directory, ...ANONYMOUS })
    const client = new RawClient(store.endpoint)
    await put(client, '/demo/%F0%9F%98%80', 'x', { 'Content-Type': 'text/plain' })
    const uploadId = await createUpload(client, '/demo/key')
    await uploadPart(client, '/demo/key', uploadId, 3, noise(10))
    const paths = ['/demo/', '/demo/?uploads', `/demo/key?uploadId=${uploadId}`]
    const before = await Promise.all(paths.map(async (path) => (await client.send({ path })).body.toString()))
    client.close()
    await store.close()

    const again = await startStore({ directory, ...ANONYMOUS })
    const after = await Promise.all(paths.map(async (path) => (await again.client.send({ path })).body.toString()))
    expect(after).toEqual(before)
    expect((await again.client.send({ path: '/demo/%F0%9F%98%80' })).headers['content-type']).toBe('text/plain')
  })

  it('deletes half-written content', async () => {
    const directory = await tempDir()
    await mkdir(join(directory, 'content'), { recursive: true })
    await writeFile(join(directory, 'content', 'leftover.new'), 'x')
    await startStore({ directory })
    await eventually(() => contentFiles(directory)).toEqual([])
  })

  it('goes on after a line that was cut short', async () => {
    const directory = await tempDir()
    const store = await startDemoStore({ directory, ...ANONYMOUS })
    await put(new RawClient(store.endpoint), '/demo/one', 'one')
    await store.close()
    await appendFile(join(directory, 'journal.jsonl'), '3 01234567 {"type":"object-put","bucket":"demo","obj')
    const second = await startDemoStore({ directory, ...ANONYMOUS })
    await put(new RawClient(second.endpoint), '/demo/two', 'two')
    await second.close()
    const { client } = await startStore({ directory, ...ANONYMOUS })
    expect((await client.send({ path: '/demo/one' })).body.toString()).toBe('one')
    expect((await client.send({ path: '/demo/two' })).body.toString()).toBe('two')
  })

  it('touches nothing in a folder of another format', async () => {
    const directory = await tempDir()
    await writeFile(join(directory, 'journal.jsonl'), '{"format":"sluice-demo-store","version":3}\n')
    await mkdir(join(directory, 'content'))
    await writeFile(join(directory, 'content', 'theirs'), 'x')
    await expect(startDemoStore({ directory, ...ANONYMOUS })).rejects.toThrow(
      'not a journal that this version can read',
    )
    expect(await contentFiles(directory)).toEqual(['theirs'])
    expect(await readFile(join(directory, 'journal.jsonl'), 'utf8')).toContain('"version":3')
  })
})

describe('A folder', () => {
  it('is served by one at a time', async () => {
    const { directory } = await startStore()
    await expect(startDemoStore({ directory, ...ANONYMOUS })).rejects.toThrow('already served')
  })

  it('is served by one at a time, however long its path', async () => {
    const directory = join(await tempDir(), 'long-'.repeat(20), 'longer-'.repeat(20))
    await startStore({ directory })
    await expect(startDemoStore({ directory, ...ANONYMOUS })).rejects.toThrow('already served')
  })

  it('is free again after close, and after a port that was taken', async () => {
    const { store } = await startStore()
    const directory = await tempDir()
    const port = Number(new URL(store.endpoint).port)
    await expect(startDemoStore({ directory, port, ...ANONYMOUS })).rejects.toThrow('EADDRINUSE')
    const one = await startDemoStore({ directory, ...ANONYMOUS })
    await one.close()
    const two = await startDemoStore({ directory, ...ANONYMOUS })
    await two.close()
  })
})
