import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SourceAway } from '../../../electron/engine/core/transfer-error.ts'
import { bindSource } from '../../../electron/engine/files/source-file.ts'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** A file that is bound, and then answers with this code. */
async function createVanished(code: string, platform: NodeJS.Platform = 'linux') {
  const path = join(await tempDir(), 'source')
  await writeFile(path, 'content')
  let isGone = false
  const fileSystem = {
    stat: (...args: Parameters<typeof stat>) =>
      isGone ? Promise.reject(Object.assign(new Error(code), { code })) : stat(...args),
  } as unknown as EngineDeps['fileSystem']
  const hasher = {
    md5: () => (isGone ? Promise.reject(Object.assign(new Error(code), { code })) : Promise.resolve('0'.repeat(32))),
  } as unknown as EngineDeps['hasher']
  const source = await bindSource({ fileSystem, hasher }, path, new AbortController().signal, platform)
  const read = () => source.md5({ start: 0, end: 7 }, new AbortController().signal)
  return { source, read, vanish: () => (isGone = true) }
}

test.each(['UNKNOWN', 'ECONNRESET', 'ENOENT', 'EIO'])(
  'a share that goes away with %s can be waited for',
  async (code) => {
    const { source, read, vanish } = await createVanished(code)
    vanish()
    await expect(source.check()).rejects.toBeInstanceOf(SourceAway)
    await expect(read()).rejects.toBeInstanceOf(SourceAway)
  },
)

test('a file that may not be read is not waited for', async () => {
  const { read, vanish } = await createVanished('EPERM')
  vanish()
  await expect(read()).rejects.toMatchObject({ info: { code: 'source-unreadable' } })
})

test('a drive that Windows says EPERM of after it was read has been pulled out', async () => {
  const { read, vanish } = await createVanished('EPERM', 'win32')
  await read()
  vanish()
  await expect(read()).rejects.toBeInstanceOf(SourceAway)
})
