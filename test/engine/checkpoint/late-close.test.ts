import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { mergeLog } from '../../../electron/engine/checkpoint/database/merge-log.ts'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PAGE_BYTES = 4096
const late = vi.hoisted(() => ({ closings: [] as (() => void)[] }))

interface Closable {
  close(): void
}

/** On a busy machine the thread that ran the last statement closes the database, and comes to it when it does. */
vi.mock('libsql/promise', async (original) => {
  const { default: Libsql } = await original<{ readonly default: new (...given: unknown[]) => Closable }>()
  return {
    default: class extends Libsql {
      override close() {
        late.closings.push(() => super.close())
      }
    },
  }
})

test('the log of changes of a damaged list is merged by the time it is read, however late it is closed', async () => {
  const path = join(await tempDir(), 'transfers.db')
  await (await openCheckpointStore(path, createFakeClock())).close()
  // Only what changed since then stands in its log.
  const killed = await openCheckpointStore(path, createFakeClock())
  await killed.insert([uploadRecord({ id: 'newest' })])
  const copy = `${path}.copy`
  await writeFile(copy, (await readFile(path)).fill(0x5a, 16, PAGE_BYTES))
  await copyFile(`${path}-wal`, `${copy}-wal`)
  const had = (await readFile(copy)).includes('newest')
  await mergeLog(copy)
  expect([had, (await readFile(copy)).includes('newest')]).toEqual([false, true])
  await killed.close()
  for (const close of late.closings) close()
})
