import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { UploadFolderRequest, UploadRequest } from '../../../electron/engine/core/requests.ts'
import { enqueueUploads } from '../../../electron/services/transfers/enqueue-uploads.ts'
import type { UploadConflicts } from '../../../electron/services/transfers/upload-conflicts.ts'
import { message } from '../../../shared/language/message.ts'
import type { Place } from '../../../shared/place/place.ts'
import { rowNameMessage } from '../../../shared/transfer/row-name.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { transferRow, transferSnapshot } from '../../support/fakes/transfer-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const places = { require: (id: string) => ({ id, bucket: 'demo' }) as Place }
const NAMES = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg', 'f.jpg']

/** An engine that remembers what it was asked, and a service that has one of the keys. */
function fakeWorld(rows: readonly TransferRow[] = []) {
  const folders: UploadFolderRequest[] = []
  const alone: UploadRequest[] = []
  const engine = {
    snapshot: () => transferSnapshot(rows),
    enqueueUploads: (some: readonly UploadRequest[]) => {
      alone.push(...some)
      return Promise.resolve([])
    },
    enqueueUploadFolder: (one: UploadFolderRequest) => {
      folders.push(one)
      return Promise.resolve('')
    },
    resume: () => Promise.resolve(),
    retry: () => Promise.resolve(),
  }
  const conflicts: UploadConflicts = {
    find: (_address, files) => {
      const taken = files.filter(({ key }) => key === 'up/f.jpg')
      return Promise.resolve({ files: new Map(taken.map((file) => [file, null])), isCertain: true })
    },
    resolve: (_address, files) => Promise.resolve({ files, skipped: [] }),
  }
  return { engine, conflicts, folders, alone }
}

async function makeFiles() {
  const folder = await tempDir()
  const paths = NAMES.map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, path)
  return { folder, paths }
}

it('adds many small files as one upload, and asks about those whose names are taken', async () => {
  const { paths } = await makeFiles()
  const { engine, conflicts, folders, alone } = fakeWorld()
  const request = { placeId: 'demo', prefix: 'up/', paths: paths.toReversed() }
  const result = await enqueueUploads(engine, places, request, conflicts)
  expect(result).toMatchObject({ added: 5, skipped: [], taken: { files: [{ path: paths[5] }] } })
  expect(folders).toMatchObject([{ prefix: 'up/', sourcePaths: paths.slice(0, 5), onConflict: 'keep-both' }])
  expect(alone).toEqual([])

  await enqueueUploads(engine, places, { ...request, onConflict: 'skip' }, conflicts)
  expect(folders[1]).toMatchObject({ sourcePaths: paths, onConflict: 'skip' })
})

it('shows the row that the same files have already', async () => {
  const { folder, paths } = await makeFiles()
  const facts = { direction: 'upload', placeId: 'demo', bucket: 'demo', key: 'up/', others: 4 } as const
  const listed = transferRow({ ...facts, name: 'a.jpg', localPath: folder, status: 'transferring' })
  const { engine, conflicts, folders } = fakeWorld([listed])
  const request = { placeId: 'demo', prefix: 'up/', paths: paths.slice(0, 5) }
  expect(await enqueueUploads(engine, places, request, conflicts)).toMatchObject({
    added: 0,
    skipped: [message('services.upload.batch-listed', { name: rowNameMessage(listed) })],
    ids: [listed.id],
  })
  expect(folders).toEqual([])
})

it('tells of an upload of the same file that is unfinished under another key', async () => {
  const { paths } = await makeFiles()
  const [path = ''] = paths
  const facts = { direction: 'upload', placeId: 'demo', bucket: 'demo', localPath: path, name: 'a.jpg' } as const
  const listed = transferRow({ ...facts, key: 'media/a.jpg', status: 'paused', confirmedBytes: 5 })
  const untouched = transferRow({ ...facts, id: 'other', key: 'old/a.jpg', status: 'queued', confirmedBytes: 0 })
  const { engine, conflicts } = fakeWorld([listed, untouched])
  const request = { placeId: 'demo', prefix: 'up/', paths: [path] }
  expect(await enqueueUploads(engine, places, request, conflicts)).toMatchObject({
    added: 1,
    elsewhere: [{ name: 'a.jpg', key: 'media/a.jpg', confirmedBytes: 5 }],
    ids: [listed.id],
  })
})
