import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { hasSignals } from '../support/tools/run-cli.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'

/** An upload that was stopped after its first parts. */
async function stopped() {
  const world = await createCliWorld()
  const digest = await writeRandomFile(world.path('big'), 24 * MIB)
  const put = ['put', world.path('big'), 'big']
  const command = world.start(...put, '--limit-rate', '4M')
  await world.proxy.seen({ method: 'PUT', query: { partNumber: 2 } })
  command.process.kill('SIGINT')
  expect(await command.ended).toMatchObject({ status: 3 })
  return { world, digest, put }
}

it.runIf(hasSignals)('says that its list was damaged, and goes on with what can be read of it', async () => {
  const { world, digest, put } = await stopped()
  await damageHead(world.stateFolder)

  const creates = () => world.proxy.requests({ method: 'POST', query: { uploads: true } }).length
  const begun = creates()
  const { status, lines } = await world.run(...put)
  expect([status, creates()]).toEqual([0, begun])
  expect(lines).toContainEqual({ event: 'list-damaged', transfers: 1, isWhole: false })
  await world.run('get', 'big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(digest)
})

it.runIf(hasSignals)('says so, too, if its list has lost all of its content', async () => {
  const { world, digest, put } = await stopped()
  await truncate(await databaseIn(world.stateFolder))

  const { status, lines } = await world.run(...put)
  expect(status).toBe(0)
  expect(lines).toContainEqual({ event: 'list-damaged', transfers: 0, isWhole: false })
  await world.run('get', 'big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(digest)
})

/** Of the database, so that SQLite reads nothing of it any more. */
async function damageHead(stateFolder: string): Promise<void> {
  const path = await databaseIn(stateFolder)
  await writeFile(path, (await readFile(path)).fill(0, 0, 4096))
}

async function databaseIn(stateFolder: string): Promise<string> {
  const below = await readdir(stateFolder, { recursive: true })
  return join(stateFolder, below.find((name) => name.endsWith('transfers.db')) ?? '')
}
