import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createStore, type StoreConnection } from '../../../electron/stores/index.ts'
import type { GetObjectResult, ObjectStore, RequestBody } from '../../../electron/stores/port/object-store.ts'

/** A signal that is never aborted. */
export const { signal } = new AbortController()

export const CREDENTIALS = { accessKeyId: 'key', secretAccessKey: 'secret' }

/** A store for bucket `demo` at `endpoint`, path style; closed when the test is over. */
export function openStore(endpoint: string, changes: Partial<StoreConnection> = {}): ObjectStore {
  const store = createStore({
    endpoint,
    bucket: 'demo',
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: 'hmac-sha1',
    region: '',
    credentials: CREDENTIALS,
    ...changes,
  })
  onTestFinished(() => store.close())
  return store
}

/** A request body of these bytes, in pieces. */
export function bodyOf(bytes: Uint8Array, pieceBytes = 1_000_000): RequestBody {
  return { sizeBytes: bytes.length, open: () => Readable.from(pieces(bytes, pieceBytes)) }
}

function* pieces(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
}

/** Reads a body to its end. */
export async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of body) pieces.push(Uint8Array.from(bytes))
  return Buffer.concat(pieces)
}

/** The result of a GetObject that has content, with its bytes. */
export async function contentOf(result: GetObjectResult) {
  if (result.kind !== 'content') throw new Error(`No content but ${result.kind}`)
  return { ...result, body: await bytesOf(result.body) }
}
