import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import type * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ownAppImage, replaceAppImage, startAfterEnd } from '../../../electron/services/updates/app-image.ts'
import { systemError } from '../../support/fakes/simulated-disk.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const share = vi.hoisted(() => ({ folder: '', flushes: 0 }))

/** A network drive that flushes files, but not this folder. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    async open(...given: Parameters<typeof fs.open>) {
      const file = await real.open(...given)
      if (given[0] !== share.folder) return file
      const sync = () => {
        share.flushes += 1
        return Promise.reject(systemError('EINVAL', 'fsync'))
      }
      return Object.assign(file, { sync })
    },
  }
})

it('puts the newer in the place of the older, to be run, and leaves nothing beside', async () => {
  const folder = await tempDir()
  const [newer, image] = [join(folder, 'newer'), join(folder, 'apps', 'Sluice.AppImage')]
  await mkdir(join(folder, 'apps'))
  await writeFile(newer, 'newer')
  await writeFile(image, 'older')
  await replaceAppImage(newer, image)
  expect(await readFile(image, 'utf8')).toBe('newer')
  expect((await stat(image)).mode & 0o777).toBe(0o755)
  expect(await readdir(join(folder, 'apps'))).toEqual(['Sluice.AppImage'])
})

it('takes the place of the older on a network drive that can’t flush its folder', async () => {
  const folder = await tempDir()
  const [newer, image] = [join(await tempDir(), 'newer'), join(folder, 'Sluice.AppImage')]
  await writeFile(newer, 'newer')
  await writeFile(image, 'older')
  share.folder = folder
  onTestFinished(() => void (share.folder = ''))
  await replaceAppImage(newer, image)
  expect(share.flushes).toBe(1)
  expect(await readFile(image, 'utf8')).toBe('newer')
})

it('leaves the older where there is no newer', async () => {
  const folder = await tempDir()
  const image = join(folder, 'Sluice.AppImage')
  await writeFile(image, 'older')
  await expect(replaceAppImage(join(folder, 'none'), image)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readFile(image, 'utf8')).toBe('older')
  expect(await readdir(folder)).toEqual(['Sluice.AppImage'])
})

it('is the file of a program inside what it mounts, and not of one that such a program has started', () => {
  const variables = { APPIMAGE: '/home/me/Terminal.AppImage', APPDIR: '/tmp/.mount_Terminal' }
  expect(ownAppImage(variables, '/tmp/.mount_Terminal/usr/lib/terminal')).toBe('/home/me/Terminal.AppImage')
  expect(ownAppImage(variables, '/usr/lib/sluice/sluice')).toBeNull()
  expect(ownAppImage({}, '/usr/lib/sluice/sluice')).toBeNull()
})

it.skipIf(process.platform === 'win32')(
  'starts the newer although a thread that hangs keeps the older',
  async () => {
    const sign = join(await tempDir(), 'started')
    // The process that must end is this one, which does not.
    startAfterEnd('/bin/sh', ['-c', `echo "$0" > '${sign}'`, '--x'])
    await expect.poll(() => readFile(sign, 'utf8').catch(() => null), { timeout: 60_000 }).toBe('--x\n')
  },
  90_000,
)
