import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { answerTo, filesAmong, lacksDisplay, linksAmong, sortExisting } from '../../electron/shell/launch.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('takes the files that a launch names, from the folder it was made in, and nothing else', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'a.bin'), 'x')
  await writeFile(join(folder, 'program'), 'x')
  const argv = [join(folder, 'program'), '--no-sandbox', 'a.bin', 'missing', 'sluice://demo/key', folder, '-x']
  const missing = [join(folder, 'missing')]
  expect(await sortExisting(filesAmong(argv, folder, '/app'))).toEqual({
    ...{ paths: [join(folder, 'a.bin'), folder], missing },
  })
  expect(await sortExisting(filesAmong(argv, folder, folder))).toEqual({ paths: [join(folder, 'a.bin')], missing })
  expect(linksAmong(argv)).toEqual(['sluice://demo/key'])
})

it('takes files that a desktop names by their addresses, and none of another computer', () => {
  const folder = resolve('/data')
  const path = join(folder, '50% of #1.part')
  const argv = [
    'program',
    pathToFileURL(path).href,
    'file://nas/data/a.bin',
    'file:///data/a%2Fb',
    'https://host/a.bin',
  ]
  expect(filesAmong(argv, folder, '/app')).toEqual([path])
})

it('answers a launch that only asks, and no other', () => {
  expect(answerTo(['sluice', '--version'], '1.2.3')).toBe('Sluice 1.2.3')
  for (const word of ['--help', '-h']) expect(answerTo(['sluice', word], '1.2.3')).toMatch(/^Usage: sluice /)
  expect(answerTo(['sluice', 'version', 'sluice://demo/--help'], '1.2.3')).toBeNull()
})

it('knows a session without a display', () => {
  expect(lacksDisplay('linux', {})).toBe(true)
  expect(lacksDisplay('linux', { DISPLAY: '' })).toBe(true)
  expect(lacksDisplay('linux', { DISPLAY: ':0' })).toBe(false)
  expect(lacksDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(false)
  expect(lacksDisplay('darwin', {})).toBe(false)
})
