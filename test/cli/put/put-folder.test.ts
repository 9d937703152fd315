import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { whenHolds } from '../../support/tools/when-holds.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

const PUT = { method: 'PUT', path: '/up/' }

async function writeFolder(world: CliWorld, count: number): Promise<void> {
  await mkdir(world.path('photos/deep'), { recursive: true })
  const paths = Array.from({ length: count }, (_, number) => world.path(`photos/${number % 2 ? 'deep/' : ''}${number}`))
  await Promise.all(paths.map((path, number) => writeFile(path, `content of ${number}`)))
}

async function keysIn(world: CliWorld): Promise<readonly unknown[]> {
  const { lines } = await world.run('ls', 'up/photos/')
  const { lines: deep } = await world.run('ls', 'up/photos/deep/')
  return [...lines, ...deep].flatMap((line) => ('key' in line ? [line['key']] : []))
}

it('says what a folder comes to, uploads it, and does nothing when it is there', async () => {
  const world = await createCliWorld()
  await writeFolder(world, 12)
  await writeFile(world.path('photos/.DS_Store'), 'x')
  await symlink('nowhere', world.path('photos/link'), 'junction')
  const put = ['put', world.path('photos'), 'up/']
  const first = await world.run(...put)
  expect(first).toMatchObject({ status: 0 })
  expect(first.lines).toContainEqual(expect.objectContaining({ event: 'plan', key: 'up/', objects: 12 }))
  expect(first.lines.filter(({ event }) => event === 'left-out')).toHaveLength(2)
  expect(first.lines.at(-1)).toMatchObject({
    event: 'done',
    direction: 'upload',
    objects: 12,
    alreadyThere: 0,
    verification: 'etag-md5',
  })
  expect(await keysIn(world)).toHaveLength(12)
  const second = await world.run(...put)
  expect(second).toMatchObject({ status: 0 })
  expect(second.lines.at(-1)).toMatchObject({ event: 'done', objects: 12, alreadyThere: 12, verification: 'etag-md5' })
  expect(world.proxy.requests(PUT)).toHaveLength(12)
  await writeFile(world.path('photos/2'), 'new')
  const third = await world.run(...put)
  expect(third).toMatchObject({ status: 0 })
  expect(third.lines.at(-1)).toMatchObject({ event: 'done', objects: 12, alreadyThere: 11 })
  expect(world.proxy.requests(PUT)).toHaveLength(13)
})

it('ends with 1 where a file is in iCloud alone, and names it', async () => {
  const world = await createCliWorld()
  await writeFolder(world, 1)
  await writeFile(world.path('photos/.film.mov.icloud'), 'bplist00')
  const put = await world.run('put', world.path('photos'), 'up/')
  expect(put).toMatchObject({ status: 1 })
  expect(put.lines).toContainEqual({
    ...{ event: 'left-out', reason: 'in-cloud' },
    path: world.path('photos/.film.mov.icloud'),
  })
  expect(await keysIn(world)).toEqual(['up/photos/0'])
})

it('ends with 1 where a file has a name that can’t be a key, and uploads the others', async () => {
  const world = await createCliWorld()
  await writeFolder(world, 1)
  const deep = world.path(['photos', ...Array.from({ length: 5 }, () => 'n'.repeat(205))].join('/'))
  await mkdir(deep, { recursive: true })
  await writeFile(`${deep}/film.mov`, 'x')
  const put = await world.run('put', world.path('photos'), 'up/')
  expect(put).toMatchObject({ status: 1, stderr: `sluice: ${deep}/film.mov can’t be a key.\n` })
  expect(put.lines).toContainEqual({ event: 'left-out', reason: 'name', path: `${deep}/film.mov` })
  expect(await keysIn(world)).toEqual(['up/photos/0'])
})

/** Files that are made when they are read: their size is 0, and their content is not. */
const MADE_UP = '/proc/sys/kernel/random'

it.runIf(existsSync(MADE_UP))('uploads nothing of files that don’t tell their size, and says so', async () => {
  const world = await createCliWorld()
  expect(await world.run('put', `${MADE_UP}/boot_id`, 'one')).toMatchObject({
    status: 1,
    stderr: 'sluice: Can’t read boot_id.\n',
  })
  const folder = await world.run('put', MADE_UP, 'up/')
  expect(folder).toMatchObject({ status: 1 })
  expect(folder.lines).toContainEqual(expect.objectContaining({ event: 'not-uploaded', key: 'up/random/boot_id' }))
  expect((await world.run('ls')).lines).toEqual([])
})

it('is killed and goes on with only what was in flight, and what came or went meanwhile', async () => {
  const world = await createCliWorld()
  await writeFolder(world, 400)
  const answered = world.proxy.rule({ when: { path: '/up/photos/deep/99' }, fault: { kind: 'stall', at: 'response' } })
  // What the service has when it is looked at is all that it gets: the rest is held before it has begun.
  const isLate = () => world.proxy.requests(PUT).length > 200
  const held = world.proxy.rule({ when: { ...PUT, test: isLate }, fault: { kind: 'stall', at: 'request' } })
  const inFlight = () => world.proxy.requests(PUT).filter(({ endedAtMs }) => endedAtMs === null)
  const put = ['put', world.path('photos'), 'up/', '--connections', '8']
  const killed = world.start(...put)
  await world.proxy.seen(PUT, 201)
  await whenHolds(() => expect(inFlight().filter(({ faults }) => !faults.includes('stall'))).toEqual([]))
  killed.process.kill('SIGKILL')
  await killed.ended
  answered.remove()
  held.remove()
  const there = new Set(await keysIn(world))
  const before = world.proxy.requests(PUT).length
  await writeFile(world.path('photos/new'), 'new')
  await rm(world.path('photos/0'))
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  const sentAgain = world.proxy.requests(PUT).length - before
  const lastKeys = new Set(await keysIn(world))
  expect(lastKeys.size).toBe(there.has('up/photos/0') ? 401 : 400)
  // Objects that were there are not sent again: not one more request than objects that were missing.
  expect(sentAgain).toBe(lastKeys.size - there.size)
  expect(before - there.size).toBeLessThanOrEqual(8)
})

it('uploads the rest, names what fails, and says what can’t be read', async () => {
  const world = await createCliWorld()
  await writeFolder(world, 4)
  const denied = world.proxy.rule({ when: { path: '/up/photos/2' }, fault: { kind: 'response', status: 403 } })
  const put = ['put', world.path('photos'), 'up/']
  const refused = await world.run(...put)
  expect(refused.status).toBe(1)
  expect(refused.lines).toContainEqual(expect.objectContaining({ event: 'not-uploaded', key: 'up/photos/2' }))
  expect(refused.lines.at(-1)).toMatchObject({ event: 'failed', code: 'items-failed' })
  denied.remove()
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  expect(await keysIn(world)).toHaveLength(4)
})

it('refuses what has nothing in it, and two folders of the same name', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('a/same'), { recursive: true })
  await mkdir(world.path('b/same'), { recursive: true })
  expect(await world.run('put', world.path('a/same'), 'up/')).toMatchObject({
    status: 1,
    stderr: 'sluice: There is nothing to upload.\n',
  })
  expect(await world.run('put', world.path('a/same'), world.path('b/same'), 'up/')).toMatchObject({
    status: 2,
    stderr: 'sluice: Two of the files would become up/same/.\n',
  })
  expect(await world.run('put', world.path('a'), 'up')).toMatchObject({ status: 2 })
})

it('uploads many files as one transfer', async () => {
  const world = await createCliWorld()
  const files = Array.from({ length: 101 }, (_, number) => world.path(`${number}.txt`))
  await Promise.all(files.map((file) => writeFile(file, file)))
  const put = await world.run('put', ...files, 'up/')
  expect(put).toMatchObject({ status: 0 })
  expect(put.lines.at(-1)).toMatchObject({ event: 'done', key: 'up/', objects: 101, verification: 'etag-md5' })
  const { lines } = await world.run('ls', 'up/')
  const keys = lines.flatMap((line) => ('key' in line ? [line['key']] : []))
  expect(keys.toSorted()).toEqual(files.map((file) => `up/${basename(file)}`).toSorted())
})
