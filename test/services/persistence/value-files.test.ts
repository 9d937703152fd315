import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createValueFiles } from '../../../electron/services/persistence/value-files.ts'
import { StateUnwritable } from '../../../electron/engine/core/checkpoint-store.ts'
import { MIB } from '../../../shared/limits.ts'
import { mountSmallVolume } from '../../soak/small-volume.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PAGE_BYTES = 4096
const PLACES = JSON.stringify([{ name: 'Studio', sealedSecret: 'djEx' }])

/** The state folder as the app opens it: the list of transfers, and the values beside it. */
async function openState(folder: string) {
  const checkpoints = await openCheckpointStore(join(folder, 'transfers.db'), createFakeClock())
  return { checkpoints, values: createValueFiles(join(folder, 'values')) }
}

it('keeps places whichever page of the list of transfers is damaged', async () => {
  const folder = await tempDir()
  const first = await openState(folder)
  await first.checkpoints.insert(Array.from({ length: 40 }, (_, at) => uploadRecord({ id: `t${at}`, position: at })))
  await first.values.setValue('places', PLACES)
  await first.checkpoints.close()
  const path = join(folder, 'transfers.db')
  const whole = await readFile(path)
  expect(whole.length).toBeGreaterThan(10 * PAGE_BYTES)
  for (let page = 0; page < whole.length; page += PAGE_BYTES) {
    const damaged = Buffer.from(whole)
    for (const at of [page, page + 3, page + PAGE_BYTES - 1]) damaged[at] = (damaged[at] ?? 0) ^ 0xff
    await writeFile(path, damaged)
    const { checkpoints, values } = await openState(folder)
    expect(await values.getValue('places'), `page ${page / PAGE_BYTES}`).toBe(PLACES)
    await checkpoints.close()
    await rm(path)
  }
})

it('gives the value as it was before when one byte of its file is damaged, and the new one after the next change', async () => {
  const folder = await tempDir()
  const values = createValueFiles(folder)
  await values.setValue('places', '["before"]')
  await values.setValue('places', PLACES)
  const path = join(folder, 'places.json')
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    await writeFile(path, damaged)
    expect(await values.getValue('places'), `byte ${at}`).toBe('["before"]')
  }
  await values.setValue('places', '["after"]')
  expect(await values.getValue('places')).toBe('["after"]')
  await writeFile(path, '')
  expect(await values.getValue('places')).toBe('["before"]')
})

it('keeps a damaged file beside the one that takes its place', async () => {
  const folder = await tempDir()
  const values = createValueFiles(folder)
  await values.setValue('places', '["before"]')
  await values.setValue('places', PLACES)
  const path = join(folder, 'places.json')
  const damaged = (await readFile(path, 'utf8')).replace('Studio', 'Studi0')
  for (const each of [path, `${path}.old`]) await writeFile(each, damaged)
  expect(await createValueFiles(folder).getValue('places')).toBeNull()
  await values.setValue('places', '["after"]')
  expect(await values.getValue('places')).toBe('["after"]')
  expect(await readFile(`${path}.damaged`, 'utf8')).toBe(damaged)
})

it('keeps the last of many changes, in files that nobody else may read', async () => {
  const folder = join(await tempDir(), 'values')
  const values = createValueFiles(folder)
  await Promise.all(Array.from({ length: 20 }, (_, at) => values.setValue('places', String(at))))
  expect(await createValueFiles(folder).getValue('places')).toBe('19')
  expect((await readdir(folder)).sort()).toEqual(['places.json', 'places.json.old'])
  if (process.platform === 'win32') return
  for (const path of [folder, join(folder, 'places.json')]) expect((await stat(path)).mode & 0o077).toBe(0)
})

it('is settled once all changes are on the disk, also where one could not be written', async () => {
  const folder = await tempDir()
  const values = createValueFiles(folder)
  const changes = [values.setValue('no/such/folder', '1'), values.setValue('window', '2')]
  await Promise.all([expect(changes[0]).rejects.toThrow('ENOENT'), values.settled()])
  expect(await createValueFiles(folder).getValue('window')).toBe('2')
})

it.each([
  ['empty', (path: string) => writeFile(path, '')],
  ['longer than any text can be', (path: string) => truncate(path, 600 * MIB)],
  ['a folder', (path: string) => rm(path).then(() => mkdir(path))],
] as const)('takes a file that is %s for a damaged one, says so, and keeps it', async (_what, damage) => {
  const folder = await tempDir()
  await createValueFiles(folder).setValue('places', PLACES)
  await damage(join(folder, 'places.json'))
  const values = createValueFiles(folder)
  expect(await values.getValue('places')).toBeNull()
  expect(await values.getValue('settings')).toBeNull()
  expect([...values.lost]).toEqual(['places'])
  await values.setValue('places', '["after"]')
  expect(await values.getValue('places')).toBe('["after"]')
  expect(await readdir(folder)).toContain('places.json.damaged')
})

it('does not call a value lost that can be read as it was before', async () => {
  const folder = await tempDir()
  const values = createValueFiles(folder)
  await values.setValue('places', '["before"]')
  await values.setValue('places', PLACES)
  await writeFile(join(folder, 'places.json'), '')
  expect(await values.getValue('places')).toBe('["before"]')
  expect([...values.lost]).toEqual([])
})

it('says of a full disk that it is the one with the list of transfers, and keeps what was there', async (context) => {
  const volume = await mountSmallVolume(join(await tempDir(), 'small'), MIB)
  context.skip(volume === null, 'mounting takes Linux and root')
  if (volume === null) return
  onTestFinished(volume.close)
  const values = createValueFiles(join(volume.path, 'values'))
  await values.setValue('places', PLACES)
  await volume.fill()
  await expect(values.setValue('places', '["after"]')).rejects.toBeInstanceOf(StateUnwritable)
  expect(await values.getValue('places')).toBe(PLACES)
  await volume.free()
  await values.setValue('places', '["after"]')
  expect(await values.getValue('places')).toBe('["after"]')
})
