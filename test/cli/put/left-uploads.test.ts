import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const PART = { method: 'PUT', query: { partNumber: true } }
const ABORT = { method: 'DELETE', query: { uploadId: true } }
const DENIED = { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied","Message":"No."}}' } as const

async function createRefusingWorld() {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  world.proxy.rule({ when: PART, fault: DENIED })
  return { world, put: () => world.run('put', world.path('big'), 'big') }
}

it('waits for a service that takes its time to discard what the command gave up', async () => {
  const { world, put } = await createRefusingWorld()
  world.proxy.rule({ when: ABORT, fault: { kind: 'delay', at: 'request', delayMs: 1000 } })
  const result = await put()
  expect(result.status).toBe(1)
  expect(result.lines.filter(({ event }) => event === 'not-discarded')).toEqual([])
  expect((await world.run('uploads')).lines).toEqual([])
  expect(await readdir(world.stateFolder)).toEqual(['sidecar.key'])
})

it('names an upload that the service refuses to discard, and tries again with the same command', async () => {
  const { world, put } = await createRefusingWorld()
  const denied = world.proxy.rule({ when: ABORT, fault: DENIED })
  const result = await put()
  const [left] = (await world.run('uploads')).lines
  expect(left).toMatchObject({ key: 'big' })
  const { key, uploadId } = left ?? {}
  expect(result.lines).toContainEqual({ event: 'not-discarded', key, uploadId })
  denied.remove()
  await put()
  expect((await world.run('uploads')).lines).toEqual([])
})
