import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { mountSmallVolume } from '../soak/small-volume.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { createUpload, noise, put, startStore, verdict } from './support/fixture.ts'

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

it('deletes and aborts on a full disk', async ({ skip }) => {
  const volume = await mountSmallVolume(join(await tempDir(), 'small'), 8 * MIB)
  if (volume === null) return skip()
  onTestFinished(() => volume.close())
  const { client } = await startStore({ directory: volume.path })
  // With such names, the records of all deletions don't fit into what is left of the journal's last block.
  const paths = Array.from({ length: 12 }, (_, number) => `/demo/${'k'.repeat(900)}${String(number)}`)
  for (const path of paths) await put(client, path, noise(100_000))
  const upload = await createUpload(client, paths[0] ?? '')
  await volume.fill()
  expect(verdict(await put(client, '/demo/other', noise(100_000)))).toBe('507 InsufficientStorage')
  const aborted = await client.send({ method: 'DELETE', path: `${paths[0] ?? ''}?uploadId=${upload}` })
  expect(verdict(aborted)).toBe('204')
  for (const path of paths) expect(verdict(await client.send({ method: 'DELETE', path }))).toBe('204')
  await expect.poll(async () => (await fs.readdir(volume.path)).includes('reserve')).toBe(true)
  expect(verdict(await put(client, '/demo/other', noise(100_000)))).toBe('200')
  // And again, with what was taken up anew.
  await volume.fill()
  expect(verdict(await client.send({ method: 'DELETE', path: '/demo/other' }))).toBe('204')
})
