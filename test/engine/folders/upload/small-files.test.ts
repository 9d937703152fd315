import { expect, it } from 'vitest'
import { createMemoryBudget } from '../../../../electron/engine/async/memory-budget.ts'
import { createWorkQueue } from '../../../../electron/engine/async/work-queue.ts'
import type { UploadFolderRun, WantedFile } from '../../../../electron/engine/folders/upload/folder-run.ts'
import { sendSmall } from '../../../../electron/engine/folders/upload/small-files.ts'

/** What a file is given up for that the system reads with this code. */
async function failureFor(code: string): Promise<unknown> {
  const { signal } = new AbortController()
  const wanted = createWorkQueue<WantedFile>(signal)
  wanted.push({ number: 0, name: 'photos/1', key: 'up/photos/1', sizeBytes: 1, modifiedMs: 0, there: null })
  wanted.end()
  const failures: unknown[] = []
  const run = {
    context: { signal },
    tally: { began: () => undefined },
    sources: { share: () => undefined, read: () => Promise.resolve({ kind: 'failed', code, message: code }) },
    givesUp: (_: WantedFile, failure: unknown) => Promise.resolve(failures.push(failure) > 0),
  }
  await sendSmall(run as unknown as UploadFolderRun, wanted, createWorkQueue(signal), createMemoryBudget(1024), 0)
  return failures[0]
}

it.each(['ENOENT', 'EIO', 'ESTALE', 'EHOSTDOWN'])(
  'a file on a drive or share that says %s is missing, as it is to an upload of its own',
  async (code) => {
    expect(await failureFor(code)).toMatchObject({ info: { code: 'source-missing' } })
  },
)

it('a file that nobody may read is unreadable', async () => {
  expect(await failureFor('EACCES')).toMatchObject({ info: { code: 'source-unreadable' } })
})
