import Libsql from 'libsql/promise'
import { expect, it } from 'vitest'
import type { SourceFiles } from '../../../../electron/engine/folders/upload/source-files.ts'
import { rowOf } from '../../../support/worlds/folder-world.ts'
import { createUploadFolderWorld, uploadFolder, writeAll } from '../../../support/worlds/upload-folder-world.ts'

it('reads a file again that became another meanwhile, and names it when it does not rest', async () => {
  const reads = new Map<string, number>()
  const world = await createUploadFolderWorld((sources) => ({
    ...sources,
    async read(file) {
      const count = (reads.get(file.name) ?? 0) + 1
      reads.set(file.name, count)
      const isTorn = file.name.endsWith('log') || (file.name.endsWith('once') && count === 1)
      return isTorn ? { kind: 'changed' } : sources.read(file)
    },
  }))
  await world.write('log', 'never at rest')
  await world.write('once', 'saved meanwhile')
  const engine = await world.open()
  const row = await uploadFolder(world, engine)
  expect(row).toMatchObject({ status: 'failed', items: { done: 1, failed: 1 } })
  expect(engine.details(row.id)?.failures).toMatchObject([{ key: 'up/photos/log', error: { code: 'source-changed' } }])
  expect(await world.objects()).toEqual({ 'up/photos/once': 'saved meanwhile' })
})

/** Finds the files a hundred at a time: a plan of two records takes no thousand files then. */
function inHundreds(sources: SourceFiles): SourceFiles {
  return {
    ...sources,
    async *walk() {
      for await (const { files, ...rest } of sources.walk()) {
        for (let first = 0; first < files.length; first += 100)
          yield { ...rest, files: files.slice(first, first + 100) }
      }
    },
  }
}

it.each([
  ['what is to be sent', "UPDATE plans SET files = substr(files, 1, 40) WHERE kind = 'plan'"],
  ['some of what is to be sent', "DELETE FROM plans WHERE kind = 'plan' AND number = 1"],
  ['what was sent', "UPDATE plans SET files = 'x' || files WHERE kind = 'sent'"],
])('goes on where the record of %s is damaged, and sends nothing twice', async (_what, damage) => {
  const world = await createUploadFolderWorld(inHundreds)
  await writeAll(world, 120)
  await world.write('z', 'z')
  const denied = world.proxy.rule({ when: { path: '/photos/z' }, fault: { kind: 'response', status: 403 } })
  const first = await world.open()
  const { id } = await uploadFolder(world, first)
  await first.close()
  denied.remove()
  const database = new Libsql(world.databasePath, {})
  await database.exec(damage)
  database.close()
  const before = world.puts().length
  const second = await world.open()
  await second.retry([id])
  await second.idle()
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: 121, total: 121, failed: 0 } })
  expect(world.puts().slice(before)).toEqual(['up/photos/z'])
})
