import * as fs from 'node:fs/promises'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { nameRulesOf } from '../../electron/engine/files/name-rules.ts'
import { runCli } from '../support/tools/run-cli.ts'
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
