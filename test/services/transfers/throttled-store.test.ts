import { expect, it } from 'vitest'
import { throttleUploads } from '../../../electron/services/transfers/throttled-store.ts'
import type { ObjectStore, PutObjectRequest } from '../../../electron/stores/port/object-store.ts'

const bytes = [new Uint8Array(3), new Uint8Array(5)]
const body = {
  sizeBytes: 8,
  async *open() {
    for (const some of bytes) yield await Promise.resolve(some)
  },
}

it('slows one key down, and sends the same bytes', async () => {
  const taken: number[] = []
  const limiter = {
    limitBytesPerSecond: 1024,
    take: (count: number) => {
      taken.push(count)
      return Promise.resolve()
    },
  }
  const sent: Record<string, Uint8Array[]> = {}
  const putObject = async ({ key, body: { open } }: PutObjectRequest) => {
    const got: Uint8Array[] = []
    for await (const some of open()) got.push(some)
    sent[key] = got
    return { etag: '', requestId: null }
  }
  const store = throttleUploads({ putObject } as unknown as ObjectStore, 'slow', limiter)
  const { signal } = new AbortController()
  await store.putObject({ key: 'fast', body, signal })
  expect({ taken, sent }).toEqual({ taken: [], sent: { fast: bytes } })
  await store.putObject({ key: 'slow', body, signal })
  expect({ taken, sent }).toEqual({ taken: [3, 5], sent: { fast: bytes, slow: bytes } })
})
