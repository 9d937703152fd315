import { afterEach, expect, test, vi } from 'vitest'
import { createReadMemory, READ_BLOCK_BYTES } from '../../../electron/engine/files/read-buffers.ts'

const { signal } = new AbortController()

afterEach(() => {
  vi.useRealTimers()
})

test('blocks of a body are those of the next one, also where there is none for a moment', async () => {
  vi.useFakeTimers()
  const memory = createReadMemory(2 * READ_BLOCK_BYTES)
  const first = await memory.reserve(signal)
  const block = first.take()
  first.give(block)
  first.release()
  await vi.advanceTimersByTimeAsync(1000)
  const second = await memory.reserve(signal)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(second.take()).toBe(block)
  second.give(block)
  second.release()
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await memory.reserve(signal)).take()).not.toBe(block)
})

test('a block that may still be filled is nobody else’s', async () => {
  const memory = createReadMemory(2 * READ_BLOCK_BYTES)
  const body = await memory.reserve(signal)
  const filled = body.take()
  body.release()
  body.give(filled)
  expect((await memory.reserve(signal)).take()).not.toBe(filled)
})
