import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const PAGE = 1000

/** A service that only lists: one bucket, `count` objects named `object 000000.bin` and so on. Takes any signature. */
export function startListingServer(count: number): Promise<string> {
  return startServer(Array.from({ length: count }, (_, index) => `object ${String(index).padStart(6, '0')}.bin`))
}

/** The same, with `object 0.bin` and so on, which a service lists in another order than people count. */
export async function startUnevenListing(count: number): Promise<{ endpoint: string; names: readonly string[] }> {
  const names = Array.from({ length: count }, (_, index) => `object ${String(index)}.bin`).toSorted()
  return { endpoint: await startServer(names), names }
}

/** Lists the names as they come. */
async function startServer(names: readonly string[]): Promise<string> {
  const count = names.length
  const nameOf = (index: number) => names[index] ?? ''
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams
    const marker = query.get('marker')
    const start = marker === null ? 0 : names.indexOf(marker) + 1
    const end = Math.min(count, start + PAGE)
    const objects = Array.from({ length: end - start }, (_, index) => ({
      Key: nameOf(start + index),
      Size: ((start + index) * 7919) % 1_000_003,
      ETag: '"0123456789abcdef0123456789abcdef"',
      LastModified: new Date(1_700_000_000_000 + (start + index) * 1000).toISOString(),
    }))
    const isTruncated = end < count
    const page = { IsTruncated: isTruncated, ...(isTruncated && { NextMarker: nameOf(end - 1) }), Contents: objects }
    response.setHeader('content-type', 'application/json')
    response.end(query.has('uploads') ? '{"IsTruncated":false,"Uploads":[]}' : JSON.stringify(page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
