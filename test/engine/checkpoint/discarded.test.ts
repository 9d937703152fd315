import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteDiscarded, mark } from '../../../electron/engine/checkpoint/discarded.ts'
import { NO_SEALER } from '../../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../../electron/engine/checkpoint/migrations.ts'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** What Windows answers while a file is open anywhere. */
function refuse(path: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`EBUSY: resource busy or locked, unlink '${path}'`), { code: 'EBUSY' }))
}

test('a database that can’t be deleted fails nothing, and goes at the next start', async () => {
  const stateFolder = await tempDir()
  const path = join(stateFolder, 'command', 'transfers.db')
  const store = await openCheckpointStore(path, createFakeClock(), NO_SEALER, MIGRATIONS, refuse)
  await store.insert([uploadRecord()])
  store.discardOnClose()
  await store.close()
  expect(await readdir(join(stateFolder, 'command'))).toContain('transfers.db')
  await deleteDiscarded(stateFolder, 'transfers.db')
  expect(await readdir(stateFolder)).toEqual([])
})

test('what is used again is not deleted', async () => {
  const stateFolder = await tempDir()
  const path = join(stateFolder, 'command', 'transfers.db')
  await (await openCheckpointStore(path, createFakeClock())).close()
  await mark(path)
  await (await openCheckpointStore(path, createFakeClock())).close()
  await deleteDiscarded(stateFolder, 'transfers.db')
  expect(await readdir(join(stateFolder, 'command'))).toEqual(['transfers.db'])
})
