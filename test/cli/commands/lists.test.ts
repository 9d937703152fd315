import { readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { runText } from '../../support/tools/run-cli.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

/** Two objects, `one.txt` and `two.txt`, each with its name for content. */
async function createFilledWorld(): Promise<CliWorld> {
  const world = await createCliWorld()
  for (const name of ['one.txt', 'two.txt']) {
    await writeFile(world.path(name), name)
    expect(await world.run('put', world.path(name), name)).toMatchObject({ status: 0 })
  }
  return world
}

it('downloads several at once into a folder, and names what failed of them', async () => {
  const world = await createFilledWorld()
  const result = await runText(['get', 'one.txt', 'missing.txt', 'two.txt', world.path('copies/')], world.environment)
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/missing\.txt: /)
  expect(result.stderr).toMatch(/1 of 3 could not be downloaded/)
  expect((await readdir(world.path('copies'))).sort()).toEqual(['one.txt', 'two.txt'])
  expect(await readFile(world.path('copies/two.txt'), 'utf8')).toBe('two.txt')
})

it('downloads what a list names, a line each, and shows no sign-in of what failed', async () => {
  const world = await createFilledWorld()
  const refused = `${world.proxy.endpoint.replace('//', '//joe:hidden@')}/nothing/here?token=hidden`
  await writeFile(world.path('list.txt'), ['# a remark', 'one.txt', '', refused, 's3://demo/two.txt'].join('\n'))
  const get = ['get', '-i', world.path('list.txt'), world.path('copies/'), '--give-up-after', '1']
  const result = await runText(get, world.environment)
  expect(result.status).toBe(1)
  expect(result.stderr).toContain('/nothing/here: ')
  expect(JSON.stringify(result)).not.toContain('hidden')
  expect((await readdir(world.path('copies'))).sort()).toEqual(['one.txt', 'two.txt'])
  await writeFile(world.path('list.txt'), 'one.txt\ntwo.txt\n')
  expect(await world.run('get', '-i', world.path('list.txt'), world.path('copies/'))).toMatchObject({ status: 0 })
})

it('finds what the same command made before also under the names that it gave, and makes no more copies', async () => {
  const world = await createCliWorld()
  for (const folder of ['a', 'b', 'c']) {
    await writeFile(world.path(folder), `content of ${folder}`)
    expect(await world.run('put', world.path(folder), `${folder}/same.txt`)).toMatchObject({ status: 0 })
  }
  const get = ['get', 'a/same.txt', 'b/same.txt', 'c/same.txt', world.path('copies/')]
  const names = ['same.txt', 'same (1).txt', 'same (2).txt']
  expect(await world.run(...get)).toMatchObject({ status: 0 })
  expect((await readdir(world.path('copies'))).sort()).toEqual([...names].sort())
  const again = await world.run(...get)
  expect(again.lines.filter(({ skipped }) => skipped === true).map(({ path }) => path)).toEqual(
    names.map((name) => world.path(`copies/${name}`)),
  )
  // Another object does not pass for one of them.
  await writeFile(world.path('c'), 'content of d')
  expect(await world.run('put', world.path('c'), 'c/same.txt')).toMatchObject({ status: 0 })
  expect(await world.run(...get)).toMatchObject({ status: 0 })
  expect((await readdir(world.path('copies'))).sort()).toEqual([...names, 'same (3).txt'].sort())
  expect(await readFile(world.path('copies/same (3).txt'), 'utf8')).toBe('content of d')
})

it.each([
  [['get', 'a', 'b', 'nowhere'], /Several sources go into a folder: make nowhere/],
  [['get', '-i', 'no-such-list'], /Can’t read the list no-such-list/],
  [['get', '-i', '-', '--secret-key-file', '-'], /not both/],
] as const)('refuses %j as wrong usage', async (argv, words) => {
  const world = await createCliWorld()
  const result = await world.run(...argv)
  expect(result.status).toBe(2)
  expect(result.stderr).toMatch(words)
})
