import { setImmediate } from 'node:timers/promises'
import { ResponseReader } from '../../../../electron/stores/http/wire/response-reader.ts'
import { BlockStore, BodyBlocks } from '../../../../electron/stores/http/wire/body-blocks.ts'
import type { HttpRequest } from '../../../../electron/stores/http/exchange.ts'
import { ReceiveBuffer } from '../../../../electron/stores/http/wire/receive-buffer.ts'

export interface ReadResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Latin-1. */
  readonly body: string
  readonly isExcessive: boolean
}

/**
 * What the client makes of these bytes (Latin-1) when they arrive cut at `cuts` and the connection then closes. Rejects
 * when it refuses them. `readerIsSlow`: nobody takes a block before both are full.
 */
export async function readResponse(
  text: string,
  { method = 'GET', cuts = [], readerIsSlow = false }: Options = {},
): Promise<ReadResponse> {
  const bytes = Buffer.from(text, 'latin1')
  const source = { drained: () => reader.advance(), left: () => undefined }
  const body = new BodyBlocks(new BlockStore(), source)
  const reader = new ResponseReader(new ReceiveBuffer(), body, method, () => undefined)
  const pieces: string[] = []
  const take = async () => {
    const { value } = (await body.next()) as { value: Uint8Array | undefined }
    if (value !== undefined) pieces.push(Buffer.from(value).toString('latin1'))
    return value !== undefined
  }
  const takeAll = async () => {
    while (await take());
  }
  const reading = readerIsSlow ? null : takeAll()
  let from = 0
  for (const to of [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]) {
    while (from < to && !reader.isComplete) {
      const space = reader.space()
      const count = Math.min(space.length, to - from)
      space.set(bytes.subarray(from, from + count))
      reader.filled(count)
      from += count
      while (!body.hasRoom) await (readerIsSlow ? take() : setImmediate())
    }
  }
  reader.ended()
  body.end()
  await (reading ?? takeAll())
  const { head } = reader
  if (head === null) throw new Error('Complete without a head')
  const isExcessive = reader.isExcessive || from < bytes.length
  return { status: head.status, headers: Object.fromEntries(head.headers), body: pieces.join(''), isExcessive }
}

interface Options {
  readonly method?: HttpRequest['method']
  readonly cuts?: readonly number[]
  readonly readerIsSlow?: boolean
}
