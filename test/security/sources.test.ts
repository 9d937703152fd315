import { join } from 'node:path'
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const WINDOW = join(ROOT, 'electron', 'shell', 'window', 'window.ts')
const MESSAGE = 'Write down what the window may, here: nothing is spread or passed on.'

it.each([
  'new BrowserWindow({ webPreferences: { ...preferences, sandbox: true } })',
  'new BrowserWindow({ webPreferences: preferences })',
  'new BrowserWindow({ ...options })',
  'new BrowserWindow(options)',
  'const options = { webPreferences: chosen() }',
])('no window is made whose rights stand elsewhere: %s', async (line) => {
  const eslint = new ESLint({ cwd: ROOT })
  const [result] = await eslint.lintText(`// A window.\n${line}\n`, { filePath: WINDOW })
  expect(result?.messages.map(({ message }) => message)).toContain(MESSAGE)
})

it('the window that there is has its rights in one place', async () => {
  const [result] = await new ESLint({ cwd: ROOT }).lintFiles([WINDOW])
  expect(result?.messages).toEqual([])
})
