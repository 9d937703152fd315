import { expect, it } from 'vitest'
import type { UploadFolderRequest } from '../../../electron/engine/core/requests.ts'
import { enqueueUploadFolder } from '../../../electron/services/transfers/enqueue-folder-upload.ts'
import { message } from '../../../shared/language/message.ts'
import type { Place } from '../../../shared/place/place.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { transferRow, transferSnapshot } from '../../support/fakes/transfer-rows.ts'

const places = { require: (id: string) => ({ id, bucket: 'demo' }) as Place }
const request = { placeId: 'demo', prefix: 'up/', paths: ['/home/photos'], onConflict: 'skip' } as const

function fakeEngine(rows: readonly TransferRow[] = []) {
  const added: UploadFolderRequest[] = []
  return {
    added,
    snapshot: () => transferSnapshot(rows),
    enqueueUploadFolder: (one: UploadFolderRequest) => {
      added.push(one)
      return Promise.resolve('')
    },
  }
}

it('adds what was dropped as one upload', async () => {
  const engine = fakeEngine()
  expect(await enqueueUploadFolder(engine, places, request)).toEqual({ added: 1, skipped: [] })
  const location = { kind: 'place', placeId: 'demo', bucket: 'demo' }
  expect(engine.added).toEqual([{ location, prefix: 'up/', sourcePaths: ['/home/photos'], onConflict: 'skip' }])
})

it('does not add the same folder twice while it is in the list', async () => {
  const items = { done: 0, total: 1, failed: 0, isCounted: true }
  const facts = { direction: 'upload', placeId: 'demo', key: 'up/', localPath: '/home/photos', items } as const
  const listed = transferRow({ ...facts, status: 'transferring' })
  expect(await enqueueUploadFolder(fakeEngine([listed]), places, request)).toEqual({
    added: 0,
    skipped: [message('services.upload.listed', { name: 'photos' })],
    ids: [listed.id],
  })
  const finished = fakeEngine([transferRow({ ...facts, status: 'completed' })])
  expect(await enqueueUploadFolder(finished, places, request)).toMatchObject({ added: 1 })
})

it.each([
  [['/a/same', '/b/same'], /named same/],
  [['/'], /no name/],
])('refuses %j', async (paths, words) => {
  await expect(enqueueUploadFolder(fakeEngine(), places, { ...request, paths })).rejects.toThrow(words)
})
