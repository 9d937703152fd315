import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { npmScript, onPath, passOn } from '../../scripts/lib/child.mjs'
import { tempDir } from '../support/tools/temp-dir.ts'

it.each([
  ['linux', ['SIGINT']],
  ['darwin', ['SIGINT']],
  // A program there is told of Ctrl+C by its console, and would be ended by a signal before it has stopped in good order.
  ['win32', []],
] as const)('passes Ctrl+C on to a program on %s as it must', (platform, expected) => {
  const sent: string[] = []
  passOn({ kill: (signal: string) => sent.push(signal) }, platform)('SIGINT')
  expect(sent).toEqual(expected)
})

it.each([
  ['/usr/lib/node_modules/npm/bin/npm-cli.js', true],
  ['C:\\node\\node_modules\\npm\\bin\\npm-cli.js', true],
  // Another package manager that runs a script calls itself so, and knows none of npm's words.
  ['/usr/share/yarn/bin/yarn.js', false],
  ['/usr/lib/pnpm.cjs', false],
  [undefined, false],
])('takes %j for npm: %s', (path, isNpm) => {
  expect(npmScript({ npm_execpath: path })).toBe(isNpm ? path : null)
})

describe('a program is found on the PATH', () => {
  const found = (names: readonly string[], platform: NodeJS.Platform, environment: Readonly<Record<string, string>>) =>
    names.filter((name) => onPath(name, { platform, environment }))

  it.skipIf(process.platform === 'win32')('where a file of its name may be run', async () => {
    const folder = await tempDir()
    await writeFile(join(folder, 'tool'), '', { mode: 0o755 })
    await writeFile(join(folder, 'text'), '', { mode: 0o644 })
    await mkdir(join(folder, 'folder'))
    const names = ['tool', 'text', 'folder', 'none', join(folder, 'tool'), join(folder, 'none')]
    expect(found(names, 'linux', { PATH: `/nowhere:${folder}` })).toEqual(['tool', join(folder, 'tool')])
    expect(found(names, 'linux', {})).toEqual([join(folder, 'tool')])
  })

  it('of Windows without the end of its name', async () => {
    const folder = await tempDir()
    await writeFile(join(folder, 'tool.EXE'), '', { mode: 0o755 })
    await writeFile(join(folder, 'script.PY'), '', { mode: 0o755 })
    const environment = { PATH: `C:\\nowhere;${folder}`, PATHEXT: '.COM;.EXE' }
    expect(found(['tool', 'tool.EXE', 'script', 'none'], 'win32', environment)).toEqual(['tool', 'tool.EXE'])
  })
})
