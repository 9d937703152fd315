import { createHash } from 'node:crypto'
import type { GetObjectRequest, GetObjectResult, ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'

const BLOCK_BYTES = MIB / 4

/** A store in memory that answers GetObject with `bytes`, whatever the key, and can do nothing else. */
export function contentStore(bytes: Uint8Array): ObjectStore {
  const etag = createHash('md5').update(bytes).digest('hex')
  const head = {
    sizeBytes: bytes.length,
    etag,
    lastModified: 'Wed, 01 Jan 2025 00:00:00 GMT',
    contentType: null,
    contentEncoding: null,
    serverTimeMs: null,
    requestId: null,
  }
  const store: Pick<ObjectStore, 'bucket' | 'capabilities' | 'getObject'> = {
    bucket: 'memory',
    capabilities: { ifMatch: false, etagIsMd5: true, minPartSizeBytes: 1, maxPartCount: 1 },
    getObject: ({ range, signal }: GetObjectRequest): Promise<GetObjectResult> => {
      const start = range?.start ?? 0
      const end = Math.min(bytes.length, range?.end ?? bytes.length)
      return Promise.resolve({
        kind: 'content',
        status: range === undefined ? 200 : 206,
        contentRange: range === undefined ? null : { start, end, totalBytes: bytes.length },
        contentLength: end - start,
        head,
        body: blocksOf(bytes.subarray(start, end), signal),
      })
    },
  }
  return store as ObjectStore
}

async function* blocksOf(bytes: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    yield bytes.subarray(at, at + BLOCK_BYTES)
  }
}
