import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { runText } from '../../support/tools/run-cli.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

async function putFolder(world: CliWorld, count: number): Promise<void> {
  await mkdir(world.path('data'))
  const paths = Array.from({ length: count }, (_, number) => world.path(`data/${number}`))
  await Promise.all(paths.map((path, number) => writeFile(path, `content of ${number}`)))
  expect(await world.run('put', ...paths, 'data/')).toMatchObject({ status: 0 })
}

it('says what a folder comes to, downloads it, and does nothing when it is there', async () => {
  const world = await createCliWorld()
  await putFolder(world, 12)
  const first = await world.run('get', 'data/', world.path('out'))
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(first.lines).toContainEqual(expect.objectContaining({ event: 'plan', objects: 12 }))
  expect(first.lines.at(-1)).toMatchObject({ event: 'done', objects: 12, verification: 'etag-md5' })
  expect(await readdir(world.path('out'))).toHaveLength(12)
  const before = world.proxy.requests({ method: 'GET', path: '/data/' }).length
  expect(await world.run('get', 'data/', world.path('out'))).toMatchObject({ status: 0 })
  expect(world.proxy.requests({ method: 'GET', path: '/data/' })).toHaveLength(before)
})

it('downloads the others when one is in the way, and that one too when it is told to', async () => {
  const world = await createCliWorld()
  await putFolder(world, 3)
  await mkdir(world.path('out'))
  await writeFile(world.path('out/1'), 'mine')
  const refused = await world.run('get', 'data/', world.path('out'))
  expect(refused.status).toBe(1)
  expect(refused.lines).toContainEqual(
    expect.objectContaining({ event: 'not-downloaded', key: 'data/1', code: 'target-exists' }),
  )
  expect(refused.lines.at(-1)).toMatchObject({ event: 'failed', code: 'items-failed' })
  expect(await readFile(world.path('out/1'), 'utf8')).toBe('mine')
  expect(await readdir(world.path('out'))).toHaveLength(3)
  expect(await world.run('get', 'data/', world.path('out'), '--overwrite')).toMatchObject({ status: 0 })
  expect(await readFile(world.path('out/1'), 'utf8')).toBe('content of 1')
})

it('is killed and goes on without fetching again what was there', async () => {
  const world = await createCliWorld()
  await putFolder(world, 200)
  const stalled = world.proxy.rule({ when: { path: '/data/99' }, fault: { kind: 'stall', at: 'response' } })
  const object = { method: 'GET', path: '/data/' }
  const asked = world.proxy.requests(object).length
  const killed = world.start('get', 'data/', world.path('out'))
  await world.proxy.seen(object, asked + 200)
  killed.process.kill('SIGKILL')
  await killed.ended
  stalled.remove()
  const there = (await readdir(world.path('out'))).filter((name) => !name.startsWith('.')).length
  const before = world.proxy.requests(object).length
  expect(await world.run('get', 'data/', world.path('out'))).toMatchObject({ status: 0 })
  expect(world.proxy.requests(object).length - before).toBe(200 - there)
  expect(await readdir(world.path('out'))).toHaveLength(200)
})

it('is content with what another command puts into the same folder meanwhile', async () => {
  const world = await createCliWorld()
  await putFolder(world, 3)
  await mkdir(world.path('data/below'))
  await writeFile(world.path('data/below/large'), randomBytes(9 * MIB))
  await writeFile(world.path('data/below/small'), 'below')
  expect(await world.run('put', world.path('data/below'), 'data/')).toMatchObject({ status: 0 })
  const object = { method: 'GET', path: '/data/' }
  // Both have found the folder empty before either has a file.
  const both = Promise.all(
    ['/data/1', '/data/below/large', '/data/below/small'].map((path) => world.proxy.seen({ method: 'GET', path }, 2)),
  )
  const held = world.proxy.rule({ when: object, fault: { kind: 'stall', at: 'response', until: both } })
  const first = world.start('get', 'data/', world.path('out'))
  const second = world.start('get', 'data/', world.path('out'), '--state-dir', world.path('other'))
  const ended = await Promise.all([first.ended, second.ended])
  expect(held.hits).toBeGreaterThanOrEqual(6)
  expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const found = await readdir(world.path('out'), { recursive: true })
  expect(found.toSorted()).toEqual(['0', '1', '2', 'below', 'below/large', 'below/small'])
})

it('says that there was nothing to check in a folder without files', async () => {
  const world = await createCliWorld()
  for (const key of ['o/', 'o/a/', 'o/b/c/']) await fetch(`${world.proxy.endpoint}/demo/${key}`, { method: 'PUT' })
  const told = await world.run('get', 'o/', world.path('out'))
  expect(told).toMatchObject({ status: 0, stderr: '' })
  expect(told.lines.at(-1)).toMatchObject({ event: 'done', objects: 0, verification: null })
  const { stdout } = await runText(['get', 'o/', world.path('again')], world.environment)
  expect(stdout).toContain('again  no files  0 B  nothing to check')
})

it('leaves out no object whose key ends in a slash', async () => {
  const world = await createCliWorld()
  for (const [key, body] of Object.entries({ 'o/x/': 'bytes', 'o/none/': '', 'o/y': 'other' }))
    await fetch(`${world.proxy.endpoint}/demo/${key}`, { method: 'PUT', body })
  expect(await world.run('get', 'o/', world.path('out'))).toMatchObject({ status: 0 })
  expect((await readdir(world.path('out'), { recursive: true })).toSorted()).toEqual(['none', 'x', 'x/_', 'y'])
  expect(await readFile(world.path('out/x/_'), 'utf8')).toBe('bytes')
  expect(await world.run('get', 'o/x/', world.path('alone'))).toMatchObject({ status: 0 })
  expect(await readFile(world.path('alone/_'), 'utf8')).toBe('bytes')
})
