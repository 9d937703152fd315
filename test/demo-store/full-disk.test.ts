import * as fs from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { noise, put, startStore, verdict } from './support/fixture.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  return { ...real, open: vi.fn(real.open) }
})

it.each([
  { code: 'ENOSPC', errno: -28 },
  { code: 'Unknown system error -122', errno: -122 },
])('says that its disk is full: $code', async (facts) => {
  const { client } = await startStore()
  await put(client, '/demo/key', 'before')
  vi.mocked(fs.open).mockRejectedValueOnce(Object.assign(new Error('no space left on device'), facts))
  expect(verdict(await put(client, '/demo/key', noise(1000)))).toBe('507 InsufficientStorage')
  expect((await client.send({ path: '/demo/key' })).body.toString()).toBe('before')
  expect(verdict(await put(client, '/demo/key', 'after'))).toBe('200')
})
