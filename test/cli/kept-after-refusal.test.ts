import { mkdir, readdir, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { writeRandomFile } from '../support/tools/random-file.ts'
import { createCliWorld, type CliWorld } from '../support/worlds/cli-world.ts'

// Keys that are good for a time have ended when a command is given again, more often than not.
const EXPIRED = { kind: 'response', status: 403, body: '{"Error":{"Code":"ExpiredToken","Message":"No."}}' } as const
const PART = { method: 'PUT', query: { partNumber: true } }
const ABORT = { method: 'DELETE', query: { uploadId: true } }

async function createFolder(): Promise<CliWorld> {
  const world = await createCliWorld()
  await mkdir(world.path('folder'))
  await writeRandomFile(world.path('folder/big'), 24 * MIB)
  return world
}

async function refuseOnce(world: CliWorld, command: readonly string[]): Promise<void> {
  const expired = world.proxy.rule({ fault: EXPIRED })
  expect(await world.run(...command)).toMatchObject({ status: 1 })
  expired.remove()
}

it('a folder download goes on after its keys were refused', async () => {
  const world = await createFolder()
  expect(await world.run('put', world.path('folder'), 'all/')).toMatchObject({ status: 0 })
  const command = ['get', 'all/folder/', world.path('out')]
  const cut = world.proxy.rule({
    when: { method: 'GET', ranged: true },
    fault: { kind: 'stall', at: { responseBytes: 3 * MIB } },
  })
  const begun = world.start(...command)
  await expect.poll(() => writtenBytes(world), { timeout: 10_000 }).toBeGreaterThan(MIB)
  begun.process.kill('SIGINT')
  await begun.ended
  cut.remove()
  await refuseOnce(world, command)
  expect((await readdir(world.path('out'))).filter((name) => name.endsWith('.part')).length).toBe(1)
  const asked = world.proxy.requests({ ranged: true }).length
  expect(await world.run(...command)).toMatchObject({ status: 0 })
  const ranges = world.proxy.requests({ ranged: true }).slice(asked)
  expect(ranges.map(({ headers }) => headers.range).filter((range) => range?.startsWith('bytes=0-'))).toEqual([])
})

/** Of the partial file, which is as long as the object from the start. */
async function writtenBytes(world: CliWorld): Promise<number> {
  const names = await readdir(world.path('out')).catch(() => [])
  const partial = names.find((name) => name.endsWith('.part'))
  return partial === undefined ? 0 : (await stat(world.path(`out/${partial}`))).blocks * 512
}

it('a folder upload goes on after its keys were refused', async () => {
  const world = await createFolder()
  const command = ['put', world.path('folder'), 'up/', '--part-size', '6', '--connections', '1']
  const stalled = world.proxy.rule({
    when: { ...PART, test: ({ url }) => url.includes('partNumber=3') },
    fault: { kind: 'stall', at: 'request' },
  })
  const begun = world.start(...command)
  await world.proxy.seen(PART, 3)
  begun.process.kill('SIGKILL')
  await begun.ended
  stalled.remove()
  await refuseOnce(world, command)
  const sent = world.proxy.requests(PART).length
  expect(await world.run(...command)).toMatchObject({ status: 0 })
  expect(world.proxy.requests(PART).length - sent).toBe(2)
  expect(world.proxy.requests(ABORT)).toEqual([])
})
