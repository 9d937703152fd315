import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isDrivenFromOutside } from '../../electron/shell/debugging.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const program = (isPackaged: boolean, ...switches: string[]) => ({
  isPackaged,
  commandLine: { hasSwitch: (name: string) => switches.includes(name) },
})

it.each(['remote-debugging-port', 'remote-debugging-pipe'])('what ships doesn’t start with --%s', async (name) => {
  const folder = await tempDir()
  expect(await isDrivenFromOutside(program(true, 'no-sandbox', name), folder)).toBe(true)
  expect(await isDrivenFromOutside(program(false, name), folder)).toBe(false)
  await writeFile(join(folder, 'test-build'), '')
  expect(await isDrivenFromOutside(program(true, name), folder)).toBe(false)
})

it('what ships starts with other switches', async () => {
  expect(await isDrivenFromOutside(program(true, 'password-store'), await tempDir())).toBe(false)
})
