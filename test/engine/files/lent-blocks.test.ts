import { expect, test } from 'vitest'
import type { HashedRead } from '../../../electron/engine/core/deps.ts'
import type { Sending } from '../../../electron/engine/core/upload-line.ts'
import type { SourceFile } from '../../../electron/engine/files/source-file.ts'
import { sourceBody } from '../../../electron/engine/upload/source-body.ts'
import { UNLIMITED } from '../../support/fakes/unlimited.ts'

const RANGE = { start: 0, end: 64 }
const sending = { turn: () => null, sliceBytes: 64 } as unknown as Sending

/** Begins to send what is read so; resolves with the first block that was lent. */
async function firstBlockOf(
  read: (block: SharedArrayBuffer, signal: AbortSignal) => ReturnType<HashedRead['next']>,
  end: () => Promise<void>,
  stop = new AbortController(),
): Promise<SharedArrayBuffer> {
  return new Promise((resolve) => {
    const next: HashedRead['next'] = (block, signal) => {
      resolve(block)
      return read(block, signal)
    }
    const source = { read: () => ({ next, end }) } as unknown as SourceFile
    const body = sourceBody(source, RANGE, { limiter: UNLIMITED, signal: stop.signal }, sending)
    const send = async (): Promise<void> => {
      for await (const slice of body.open()) expect(slice).toHaveLength(64)
    }
    void send().catch(() => undefined)
  })
}

test('a block that a stopped body may still fill goes to no other one before it is left', async () => {
  const whole = (block: SharedArrayBuffer) => Promise.resolve({ bytes: new Uint8Array(block, 0, 64), md5: '' })
  const stop = new AbortController()
  let leave: () => void = () => undefined
  const left = new Promise<void>((resolve) => (leave = resolve))
  const untilStopped = (_: SharedArrayBuffer, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const filled = await firstBlockOf(untilStopped, () => left, stop)
  stop.abort(new Error('pause'))
  await new Promise(setImmediate)
  const second = await firstBlockOf(whole, () => Promise.resolve())
  expect(second).not.toBe(filled)
  await new Promise(setImmediate)
  leave()
  await new Promise(setImmediate)
  expect(await firstBlockOf(whole, () => Promise.resolve())).toBe(filled)
})
