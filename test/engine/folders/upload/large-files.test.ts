import { expect, it } from 'vitest'
import { createWorkQueue } from '../../../../electron/engine/async/work-queue.ts'
import type { RunOutcome } from '../../../../electron/engine/core/run.ts'
import { TransferError } from '../../../../electron/engine/core/transfer-error.ts'
import type { UploadFolderRun, WantedFile } from '../../../../electron/engine/folders/upload/folder-run.ts'
import { sendLarge } from '../../../../electron/engine/folders/upload/large-files.ts'
import { MemoryCheckpoints } from '../../../support/fakes/memory-checkpoints.ts'
import { uploadRecord } from '../../../support/fakes/records.ts'

it('has an upload that leads nowhere aborted with the commit that forgets it: no kill leaves it to nobody', async () => {
  const checkpoints = new MemoryCheckpoints()
  const child = uploadRecord({ id: 'child', folderId: 'folder', uploadId: 'U', sourcePath: '/photos/film' })
  await checkpoints.insert([child])
  const { remove } = checkpoints
  let isKnown: boolean | null = null
  checkpoints.remove = async (ids) => {
    await remove.call(checkpoints, ids)
    // As the next process would find it, were this one to end now.
    isKnown = checkpoints.aborts.has('U')
  }
  const file = { number: 0, name: 'photos/film', key: 'photos/film', sizeBytes: 1 } as WantedFile
  const wanted = createWorkQueue<WantedFile>(new AbortController().signal)
  wanted.push(file)
  wanted.end()
  const lost: RunOutcome = { kind: 'failed', error: new TransferError('upload-lost', 'gone').info }
  const begun = new Map([[child.sourcePath, child]])
  await sendLarge(folderRun(checkpoints), wanted, begun, () => Promise.resolve(lost))
  expect(checkpoints.records.size).toBe(0)
  expect(isKnown).toBe(true)
})

/** As much of a folder's run as one large file needs that was begun before. */
function folderRun(checkpoints: MemoryCheckpoints): UploadFolderRun {
  const context = {
    deps: { checkpoints },
    record: { id: 'folder' },
    signal: new AbortController().signal,
    report: {},
    abandon: checkpoints.addAbort.bind(checkpoints),
  }
  const parts = {
    context,
    tally: { began: () => undefined },
    sources: { stat: () => Promise.resolve([{ sizeBytes: 1, modifiedMs: 0 }]) },
    finishing: () => () => undefined,
    pathOf: (name: string) => `/${name}`,
    givesUp: () => Promise.resolve(true),
  }
  return parts as unknown as UploadFolderRun
}
