import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nameRulesOf } from '../../electron/engine/files/name-rules.ts'
import { MIB } from '../../shared/limits.ts'
import { notedBytes } from '../support/tools/noted-bytes.ts'
import { runCli, runText } from '../support/tools/run-cli.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'

const NAMES = ['a:b?c.txt', 'hash#q?x.bin', '<x> "y" | z*', 'back\\slash', 'dot.', 'space ', 'CON', '全角？！：.txt']
const { takesUnixNames = false } = await nameRulesOf(fs, tmpdir())

it.runIf(takesUnixNames)('what has names that only Unix takes comes back under them', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('in'))
  for (const name of NAMES) await writeFile(world.path(`in/${name}`), `content of ${name}`)
  expect(await world.run('put', world.path('in'), 'names/')).toMatchObject({ status: 0 })
  const got = await world.run('get', 'names/in/', world.path('out'))
  expect(got).toMatchObject({ status: 0, stderr: '' })
  expect(got.lines.filter(({ event }) => event === 'renamed')).toEqual([])
  expect((await readdir(world.path('out'))).sort()).toEqual([...NAMES].sort())
  await mkdir(world.path('one'))
  for (const name of NAMES.slice(0, 2)) {
    expect(await world.run('get', `names/in/${name}`, world.path('one'))).toMatchObject({ status: 0 })
    expect(await readFile(world.path(`one/${name}`), 'utf8')).toBe(`content of ${name}`)
  }
})

it('puts nothing that programs obey into a home folder, and says so', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('in/.config/autostart'), { recursive: true })
  await mkdir(world.path('in/project'))
  await writeFile(world.path('in/.bashrc'), 'evil')
  await writeFile(world.path('in/.config/autostart/evil.desktop'), 'evil')
  await writeFile(world.path('in/project/.gitignore'), 'out')
  expect(await world.run('put', world.path('in'), 'x/')).toMatchObject({ status: 0 })
  const home = world.path('home')
  await mkdir(home)
  const environment = { ...world.environment, HOME: home, USERPROFILE: home }
  const got = await runCli(['get', 'x/in/', home], environment)
  expect(got).toMatchObject({ status: 0 })
  expect(got.lines).toContainEqual(expect.objectContaining({ event: 'renamed', key: 'x/in/.bashrc', path: '．bashrc' }))
  expect((await readdir(home)).sort()).toEqual(['project', '．bashrc', '．config'].sort())
  expect(await readdir(world.path('home/project'))).toEqual(['.gitignore'])
  expect(await runCli(['get', 'x/in/.bashrc', home], environment)).toMatchObject({ status: 0 })
  // Whoever writes the name out means it.
  expect(await runCli(['get', 'x/in/.bashrc', world.path('home/.profile')], environment)).toMatchObject({ status: 0 })
  expect((await readdir(home)).sort()).toEqual(['.profile', 'project', '．bashrc', '．config'].sort())
})

/** Names of Unix that would break a line, ring a bell or color a terminal, and how they are shown and stored. */
const CONTROLS = [
  ['a\nb\tc\u0001\u001b[31m.txt', 'a␊b␉c␁␛[31m.txt'],
  ['x\r\ny\u007f\u0085z.txt', 'x␍␊y␡‛u0085z.txt'],
] as const
const ANY_CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/ // eslint-disable-line no-control-regex

it.skipIf(process.platform === 'win32')('names with line breaks and control characters go up as they are', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('in'))
  for (const [name] of CONTROLS) await writeFile(world.path(`in/${name}`), `content of ${shownAs(name)}`)
  expect(await world.run('put', world.path('in'), 'names/')).toMatchObject({ status: 0, stderr: '' })
  const [first] = CONTROLS[0]
  const one = await world.run('put', world.path(`in/${first}`), 'one/')
  expect(one.lines.at(-1)).toMatchObject({ event: 'done', key: `one/${first}` })

  const listed = await world.run('ls', 'names/in/')
  expect(listed.lines.map(({ key }) => key).sort()).toEqual(CONTROLS.map(([name]) => `names/in/${name}`).sort())
  for (const argv of [
    ['ls', 'names/in/'],
    ['get', 'names/in/', world.path('out')],
    ['get', `one/${first}`, world.path('out/again')],
    ['get', `none/${first}`, world.path('out')],
  ]) {
    const { stdout, stderr } = await runText(argv, world.environment)
    const lines = `${stdout}${stderr}`.split('\n')
    expect(lines.filter((line) => ANY_CONTROL.test(line))).toEqual([])
    expect(lines.filter((line) => line.startsWith('b') || line.startsWith('y'))).toEqual([])
  }
  for (const [name, shown] of CONTROLS) {
    expect(await readFile(world.path(`out/${shown}`), 'utf8')).toBe(`content of ${shownAs(name)}`)
  }
})

it.skipIf(process.platform === 'win32')('a download of such a key goes on where it was killed', async () => {
  const world = await createCliWorld()
  const [name, shown] = CONTROLS[0]
  const bytes = randomBytes(20 * MIB)
  await writeFile(world.path(name), bytes)
  expect(await world.run('put', world.path(name), 'big/')).toMatchObject({ status: 0 })
  const object = { method: 'GET', path: '/big/' }
  const stalled = world.proxy.rule({ when: object, fault: { kind: 'stall', at: { responseBytes: 5 * MIB } } })
  const killed = world.start('get', `big/${name}`, `${world.path('out')}/`)
  await expect.poll(() => notedBytes(world.path('out'))).toBeGreaterThan(0)
  const kept = (await sidecarOf(world.path('out'))).split('\n')
  expect(JSON.parse(kept[0] ?? '')).toMatchObject({ key: `big/${name}` })
  killed.process.kill('SIGKILL')
  await killed.ended
  stalled.remove()
  const asked = world.proxy.log.length
  expect(await world.run('get', `big/${name}`, `${world.path('out')}/`)).toMatchObject({ status: 0 })
  expect(await readdir(world.path('out'))).toEqual([shown])
  expect(Buffer.compare(await readFile(world.path(`out/${shown}`)), bytes)).toBe(0)
  const sent = world.proxy.log.slice(asked).reduce((sum, { responseBytes }) => sum + responseBytes, 0)
  expect(sent).toBeLessThan(bytes.length)
})

function shownAs(name: string): string {
  return CONTROLS.find(([each]) => each === name)?.[1] ?? ''
}

async function sidecarOf(folder: string): Promise<string> {
  const name = (await readdir(folder).catch(() => [])).find((each) => each.endsWith('.part.json'))
  return name === undefined ? '' : await readFile(join(folder, name), 'utf8')
}
