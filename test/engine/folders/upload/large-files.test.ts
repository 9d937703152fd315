import { expect, it } from 'vitest'
import { createWorkQueue, type WorkQueue } from '../../../../electron/engine/async/work-queue.ts'
import type { UploadRecord } from '../../../../electron/engine/core/records.ts'
import type { RunOutcome } from '../../../../electron/engine/core/run.ts'
import { SourceAway, TransferError } from '../../../../electron/engine/core/transfer-error.ts'
import type { UploadFolderRun, WantedFile } from '../../../../electron/engine/folders/upload/folder-run.ts'
import { sendLarge } from '../../../../electron/engine/folders/upload/large-files.ts'
import { createRetryPolicy } from '../../../../electron/engine/retry/create-retry-policy.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
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
  const lost: RunOutcome = { kind: 'failed', error: new TransferError('upload-lost', 'gone').info }
  const begun = new Map([[child.sourcePath, child]])
  await sendLarge(folderRun(checkpoints), oneFile(), begun, () => Promise.resolve(lost))
  expect(checkpoints.records.size).toBe(0)
  expect(isKnown).toBe(true)
})

it('gives up where the drive of a file comes and goes, and each time it gets only as far as before', async () => {
  const clock = createFakeClock()
  const checkpoints = new MemoryCheckpoints()
  const child = uploadRecord({ id: 'child', folderId: 'folder', sourcePath: '/photos/film' })
  await checkpoints.insert([child])
  const run = folderRun(checkpoints)
  const { signal } = run.context
  const retryPolicy = createRetryPolicy({
    deps: { clock: { ...clock, sleep: (ms) => clock.advance(ms) }, random: () => 1 },
    giveUpAfterMs: 60_000,
    signal,
    report: { waiting: () => undefined },
  })
  const givesUp: UploadFolderRun['givesUp'] = async (_, failure) => {
    if (!(failure instanceof TransferError) || failure.info.code !== 'source-missing') throw failure
    await retryPolicy.waitAfter(new SourceAway('source-missing', 'away'))
    return false
  }
  let tries = 0
  const sending = sendLarge(
    { ...run, retryPolicy, givesUp },
    oneFile(),
    new Map([[child.sourcePath, child]]),
    async ({ report }) => {
      tries += 1
      if (tries > 5) throw new Error('It goes on and on')
      report.moved(100)
      await clock.advance(50_000)
      report.moved(-100)
      report.waiting({ reason: 'source-missing', cause: null, retryAtMs: 0, attempt: 1 })
      return { kind: 'stopped' }
    },
  )
  await expect(sending).rejects.toMatchObject({ info: { code: 'gave-up-waiting' } })
})

it('goes on with an upload that was begun before, once its drive is back', async () => {
  const checkpoints = new MemoryCheckpoints()
  const child = uploadRecord({ id: 'child', folderId: 'folder', uploadId: null, sourcePath: '/photos/film' })
  await checkpoints.insert([child])
  const run = folderRun(checkpoints)
  let looks = 0
  const stat: UploadFolderRun['sources']['stat'] = () => {
    looks += 1
    return Promise.resolve([looks === 1 ? null : { sizeBytes: 1, modifiedMs: 0 }])
  }
  const away = { ...run, sources: { ...run.sources, stat }, givesUp: () => Promise.resolve(looks > 2) }
  const goesOnWith: UploadRecord[] = []
  await sendLarge(away, oneFile(), new Map([[child.sourcePath, child]]), async ({ record }) => {
    goesOnWith.push(record)
    await checkpoints.update(record.id, { uploadId: 'U' })
    return { kind: 'stopped' }
  })
  expect(goesOnWith.map(({ id, uploadId }) => ({ id, uploadId }))).toEqual([
    { id: 'child', uploadId: null },
    { id: 'child', uploadId: 'U' },
  ])
})

function oneFile(): WorkQueue<WantedFile> {
  const wanted = createWorkQueue<WantedFile>(new AbortController().signal)
  wanted.push({ number: 0, name: 'photos/film', key: 'photos/film', sizeBytes: 1 } as WantedFile)
  wanted.end()
  return wanted
}

/** As much of a folder's run as one large file needs that was begun before. */
function folderRun(checkpoints: MemoryCheckpoints): UploadFolderRun {
  const context = {
    deps: { checkpoints },
    record: { id: 'folder' },
    signal: new AbortController().signal,
    report: { moved: () => undefined },
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
