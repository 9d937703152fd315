import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it.each([
  ['what the command returns', 'return 3', 3],
  ['1 where it fails', 'throw new Error("of purpose")', 1],
  ['0 where it is done', '', 0],
])('is %s, even with the exit hook of electron-builder', (_name, body, status) => {
  const script = `
    import hook from 'async-exit-hook'
    import { main } from './scripts/lib/say.mjs'
    await main(async () => { hook(() => undefined); ${body} })`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status).toBe(status)
})

it.each([
  ['nonsense', 'There is no scenario named "nonsense".'],
  ['--only=nonsense', 'There is no scenario named "nonsense".'],
  ['--nonsense', "Unknown option '--nonsense'."],
])('is 2 where the bench is asked for %s, and it names what there is', (argument, words) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.mjs', argument], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr.trim()).toMatch(/^[^\n]* Name what to measure with --only: plain, tls, [^\n]*\bqueue\b[^\n]*\.$/)
  expect(stderr).toContain(words)
})

it('is 2 where a command is given an option that it does not know, which it names without a stack', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.mjs', 'lines', '--nonsense'], {
    encoding: 'utf8',
  })
  expect({ status, said: stderr.trim() }).toEqual({
    status: 2,
    said: expect.stringMatching(/^Unknown option '--nonsense'[^\n]*$/) as string,
  })
})
