import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deleteDiscarded } from '../../electron/engine/checkpoint/discarded.ts'
import { NO_SEALER } from '../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../electron/engine/checkpoint/migrations.ts'
import { openCheckpointStore } from '../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../support/fakes/fake-clock.ts'
import { uploadRecord } from '../support/fakes/records.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const clock = createFakeClock()
const DATABASE = 'transfers.db'
const MARK = `${DATABASE}.discarded`

type Files = Readonly<Record<string, Buffer>>

async function filesIn(folder: string): Promise<Files> {
  const names = await readdir(folder)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  )
}

/** What is there before a command that is done deletes its state, in the middle of that, and afterwards. */
async function endOfCommand(): Promise<readonly Files[]> {
  const folder = await tempDir()
  const path = join(folder, DATABASE)
  const states: Files[] = []
  const store = await openCheckpointStore(path, clock, NO_SEALER, MIGRATIONS, async () => {
    states.push(await filesIn(folder))
    // As where it can't be deleted yet: the mark is set.
    throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
  })
  await store.insert([uploadRecord({ id: 't0' }), uploadRecord({ id: 't1', position: 1, key: 'other' })])
  states.unshift(await filesIn(folder))
  store.discardOnClose()
  await store.close()
  return [...states, await filesIn(folder)]
}

/** Each choice of one of several versions of a file, or of none, for all files. */
function mixtures(states: readonly Files[]): readonly Files[] {
  const names = [...new Set(states.flatMap((state) => Object.keys(state)))].filter((name) => !name.endsWith('-shm'))
  return names.reduce<readonly Files[]>(
    (mixed, name) => {
      const versions = states.flatMap((state) => state[name] ?? [])
      const different = versions.filter((one, at) => !versions.slice(0, at).some((other) => other.equals(one)))
      return mixed.flatMap((files) => [files, ...different.map((content) => ({ ...files, [name]: content }))])
    },
    [{}],
  )
}

it('of a command that is done is whole or empty for the next, whichever files the power left of it', async () => {
  const states = await endOfCommand()
  expect(states.map((files) => MARK in files)).toContain(true)
  const left = mixtures(states)
  for (const files of left) {
    const stateFolder = await tempDir()
    const folder = join(stateFolder, 'command')
    await mkdir(folder)
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    await deleteDiscarded(stateFolder, DATABASE)
    if (MARK in files) expect(await readdir(stateFolder)).toEqual([])
    const store = await openCheckpointStore(join(folder, DATABASE), clock)
    const { records, setAside } = await store.load()
    const named = Object.keys(files).join(' ')
    expect({ setAside, damage: store.damage }, named).toEqual({ setAside: 0, damage: null })
    expect([[], ['t0', 't1']], named).toContainEqual(records.map(({ id }) => id).sort())
    await store.close()
  }
  expect(left.length).toBeGreaterThan(8)
})
