import { afterEach, expect, test, vi } from 'vitest'
import { createReadMemory, READ_BLOCK_BYTES } from '../../../electron/engine/files/read-buffers.ts'

const { signal } = new AbortController()

afterEach(() => {
  vi.useRealTimers()
})

test('blocks of one body are reused by the next, even after a moment without any body', async () => {
  vi.useFakeTimers()
  const memory = createReadMemory(2 * READ_BLOCK_BYTES)
  const first = await memory.reserve(signal)
  const block = first.take()
  first.give(block)
  first.release()
  await vi.advanceTimersByTimeAsync(4000)
  const second = await memory.reserve(signal)
  expect(second.take()).toBe(block)
  second.give(block)
  second.release()
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await memory.reserve(signal)).take()).not.toBe(block)
  expect(vi.getTimerCount()).toBe(0)
})

test('after a crowd no more blocks are kept than those that are left use', async () => {
  vi.useFakeTimers()
  const memory = createReadMemory(64 * READ_BLOCK_BYTES)
  const crowd = await Promise.all(Array.from({ length: 20 }, () => memory.reserve(signal)))
  const blocks = crowd.map((body) => body.take())
  crowd.forEach((body, index) => {
    body.give(blocks[index] ?? body.take())
    body.release()
  })
  const last = await memory.reserve(signal)
  for (let second = 0; second < 20; second += 1) {
    last.give(last.take())
    await vi.advanceTimersByTimeAsync(1000)
  }
  const left = Array.from({ length: 20 }, () => last.take()).filter((block) => blocks.includes(block))
  expect(left).toHaveLength(2)
})
