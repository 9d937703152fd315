import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownAppImage, replaceAppImage, startAfterEnd } from '../../../electron/services/updates/app-image.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

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
