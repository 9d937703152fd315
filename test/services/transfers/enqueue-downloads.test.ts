import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import type { DownloadRequest, Engine, FolderRequest, UploadRequest } from '../../../electron/engine/index.ts'
import { enqueueDownloads } from '../../../electron/services/transfers/enqueue-downloads.ts'
import { enqueueUploads } from '../../../electron/services/transfers/enqueue-uploads.ts'
import type { UploadConflicts } from '../../../electron/services/transfers/upload-conflicts.ts'
import type { EnqueueDownloads } from '../../../shared/ipc/ipc-contract.ts'
import { message } from '../../../shared/language/message.ts'
import type { Place } from '../../../shared/place/place.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { transferRow, transferSnapshot } from '../../support/fakes/transfer-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const places = {
  require: (id: string) => ({ id, bucket: 'demo' }) as Place,
  locateLink: (url: string) => ({ kind: 'link', url }) as const,
}

/** No key has an object. */
const nothingThere: UploadConflicts = {
  find: () => Promise.resolve({ files: new Map(), isCertain: true }),
  resolve: (_placeId, files) => Promise.resolve({ files, skipped: [] }),
}

function fakeEngine(rows: readonly TransferRow[] = []) {
  const uploads: UploadRequest[] = []
  const downloads: DownloadRequest[] = []
  const folders: FolderRequest[] = []
  const continued: string[] = []
  return {
    uploads,
    downloads,
    folders,
    continued,
    snapshot: () => transferSnapshot(rows),
    resume: (ids: Parameters<Engine['resume']>[0]) => Promise.resolve(void continued.push(...ids)),
    retry: () => Promise.resolve(),
    enqueueUploads: (requests: readonly UploadRequest[]) => {
      uploads.push(...requests)
      return Promise.resolve([])
    },
    enqueueDownloads: (requests: readonly DownloadRequest[]) => {
      downloads.push(...requests)
      return Promise.resolve([])
    },
    enqueueFolder: (request: FolderRequest) => {
      folders.push(request)
      return Promise.resolve('')
    },
    enqueueUploadFolder: () => Promise.reject(new Error('No folder is uploaded here.')),
  }
}

async function files(...names: string[]): Promise<string> {
  const folder = await tempDir()
  for (const name of names) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), name)
  }
  return folder
}

const listedAlready = (name: string) => message('services.upload.listed', { name })

it('uploads dropped files under the prefix', async () => {
  const folder = await files('a.mov', 'shoot/b.mov')
  const engine = fakeEngine()
  const paths = ['a.mov', 'shoot/b.mov'].map((name) => join(folder, name))
  const result = await enqueueUploads(engine, places, { placeId: 'demo', prefix: 'media/', paths }, nothingThere)
  expect(result).toEqual({
    added: 2,
    skipped: [],
    taken: { files: [], isCertain: true },
    continued: [],
    elsewhere: [],
    ids: [],
  })
  expect(engine.uploads.map(({ key }) => key)).toEqual(['media/a.mov', 'media/b.mov'])
})

it('adds no file twice, and lets no file replace another that is in the list', async () => {
  const folder = await files('a.mov', 'one/a.mov', 'b.mov')
  const paths = ['a.mov', 'one/a.mov', 'b.mov'].map((name) => join(folder, name))
  const engine = fakeEngine([transferRow({ key: 'b.mov', localPath: join(folder, 'b.mov') })])
  const result = await enqueueUploads(engine, places, { placeId: 'demo', prefix: '', paths }, nothingThere)
  expect(engine.uploads.map(({ sourcePath }) => sourcePath)).toEqual([paths[0]])
  expect(result).toMatchObject({
    added: 1,
    skipped: [
      message('services.skipped.would-replace', { path: paths[1] ?? '', other: paths[0] ?? '' }),
      listedAlready('b.mov'),
    ],
  })
})

it('lets an unfinished upload of the list go on when its file is dropped again', async () => {
  const folder = await files('a.mov', 'b.mov', 'c.mov')
  const paths = ['a.mov', 'b.mov', 'c.mov'].map((name) => join(folder, name))
  const row = (id: string, name: string, status: TransferRow['status']) =>
    transferRow({ id, name, key: name, localPath: join(folder, name), status, confirmedBytes: 7 })
  const engine = fakeEngine([
    row('1', 'a.mov', 'paused'),
    row('2', 'b.mov', 'failed'),
    row('3', 'c.mov', 'transferring'),
  ])
  const result = await enqueueUploads(engine, places, { placeId: 'demo', prefix: '', paths }, nothingThere)
  expect(engine.continued).toEqual(['1', '2'])
  expect(result).toEqual({
    added: 0,
    skipped: [listedAlready('c.mov')],
    taken: { files: [], isCertain: true },
    continued: ['a.mov', 'b.mov'].map((name) => ({ name, confirmedBytes: 7 })),
    elsewhere: [],
    ids: ['1', '2', '3'],
  })
})

it('takes a file again once its transfer is done', async () => {
  const folder = await files('a.mov')
  const path = join(folder, 'a.mov')
  const engine = fakeEngine([transferRow({ localPath: path, status: 'completed' })])
  expect(
    await enqueueUploads(engine, places, { placeId: 'demo', prefix: '', paths: [path] }, nothingThere),
  ).toMatchObject({
    added: 1,
  })
})

const objects = (directory: string, ...keys: string[]): EnqueueDownloads => ({
  source: { kind: 'objects', placeId: 'demo', keys },
  directory,
  onConflict: 'keep-both',
})

it('downloads into the folder, under a name that stays inside it', async () => {
  const directory = await tempDir()
  const engine = fakeEngine()
  await enqueueDownloads(engine, places, objects(directory, 'media/a.mov', '../..', 'a/..\\b', 'CON'))
  const targets = engine.downloads.map(({ targetPath }) => targetPath)
  expect(targets[0]).toBe(join(directory, 'a.mov'))
  expect(targets).toHaveLength(4)
  expect(targets.filter((target) => join(target, '..') !== directory)).toEqual([])
})

it('never lets two downloads of one request replace each other', async () => {
  const engine = fakeEngine()
  const request = { ...objects(await tempDir(), 'one/a.mov', 'two/a.mov'), onConflict: 'replace' } as const
  await enqueueDownloads(engine, places, request)
  expect(engine.downloads.map(({ onConflict }) => onConflict)).toEqual(['replace', 'keep-both'])
})

it('skips what is there when asked to, folders, and what is in the list', async () => {
  const directory = await files('a.mov')
  const listed = transferRow({ direction: 'download', key: 'c.mov', localPath: join(directory, 'c.mov') })
  const engine = fakeEngine([listed])
  const request = { ...objects(directory, 'media/a.mov', 'b.mov', 'media/', 'c.mov'), onConflict: 'skip' } as const
  expect(await enqueueDownloads(engine, places, request)).toEqual({
    added: 1,
    skipped: [
      message('services.skipped.in-folder', { name: 'a.mov' }),
      message('services.skipped.folder-object', { key: 'media/' }),
      listedAlready('c.mov'),
    ],
    ids: [listed.id],
    copies: { ...objects(directory, 'c.mov'), onConflict: 'skip', asCopies: true },
  })
})

it.each(['skip', 'replace', 'keep-both'] as const)(
  'downloads what is in the list once more beside it when a copy is asked for, if told to %s',
  async (onConflict) => {
    const directory = await files('c.mov')
    const partial = { direction: 'download', key: 'c.mov', localPath: join(directory, 'c.mov') } as const
    const engine = fakeEngine([transferRow(partial)])
    const first = await enqueueDownloads(engine, places, { ...objects(directory, 'c.mov'), onConflict })
    if (first.copies === undefined) throw new Error('No copy is offered.')
    expect(await enqueueDownloads(engine, places, first.copies)).toEqual({ added: 1, skipped: [], ids: [] })
    expect(engine.downloads).toMatchObject([{ key: 'c.mov', onConflict: 'keep-both' }])
    // The first has ended meanwhile: its file stays.
    const later = fakeEngine()
    expect(await enqueueDownloads(later, places, first.copies)).toMatchObject({ added: 1 })
    expect(later.downloads).toMatchObject([{ onConflict: 'keep-both' }])
  },
)

it('offers no copy of what one request names twice', async () => {
  const result = await enqueueDownloads(fakeEngine(), places, objects(await tempDir(), 'c.mov', 'c.mov'))
  expect(result).toEqual({ added: 1, skipped: [listedAlready('c.mov')], ids: [] })
})

it('names a link by its path and shows no query', async () => {
  const engine = fakeEngine()
  const urls = ['https://s.example.com/x/my%20file.zip?signature=abc', 'https://s.example.com/', 'http://h/%zz']
  const directory = await tempDir()
  await enqueueDownloads(engine, places, { source: { kind: 'links', urls }, directory, onConflict: 'keep-both' })
  expect(engine.downloads.map(({ key }) => key)).toEqual([
    'https://s.example.com/x/my%20file.zip',
    'https://s.example.com/',
    'http://h/%zz',
  ])
  expect(engine.downloads.map(({ targetPath }) => targetPath)).toEqual([
    join(directory, 'my file.zip'),
    join(directory, 'download'),
    join(directory, '%zz'),
  ])
  expect(engine.downloads[0]?.location).toEqual({ kind: 'link', url: urls[0] })
})

it('refuses a folder that is not there', async () => {
  const directory = join(await tempDir(), 'gone')
  await expect(enqueueDownloads(fakeEngine(), places, objects(directory, 'a'))).rejects.toThrow('There is no folder')
})

it('T30 keys that some file systems take for the same never replace each other', async () => {
  const directory = await tempDir()
  const engine = fakeEngine()
  const keys = ['A.txt', 'b/a.txt', 'c/\u00e9', 'd/e\u0301']
  await enqueueDownloads(engine, places, { ...objects(directory, ...keys), onConflict: 'replace' })
  expect(engine.downloads.map(({ onConflict }) => onConflict)).toEqual(['replace', 'keep-both', 'replace', 'keep-both'])
})

const folders = (directory: string, ...prefixes: string[]): EnqueueDownloads => ({
  source: { kind: 'folders', placeId: 'demo', prefixes },
  directory,
  onConflict: 'skip',
})

it('downloads each folder as one transfer into the local folder of its name, also when that is there', async () => {
  const directory = await files('2026/a.mov')
  const engine = fakeEngine()
  const result = await enqueueDownloads(engine, places, folders(directory, 'media/2026/', 'raw/', 'old/2026/', '../'))
  expect(result).toEqual({ added: 4, skipped: [], ids: [] })
  expect(engine.folders[0]).toMatchObject({ prefix: 'media/2026/', onConflict: 'skip' })
  const names = engine.folders.map(({ targetPath }) => relative(directory, targetPath))
  expect(names).toEqual(['2026', 'raw', '2026 (1)', expect.not.stringContaining('..')])
})

it('leaves alone what is no folder, and puts no folder through a link', async () => {
  const directory = await files('file', 'elsewhere/x')
  await symlink(join(directory, 'elsewhere'), join(directory, 'link'), 'junction')
  const engine = fakeEngine()
  await enqueueDownloads(engine, places, folders(directory, 'file/', 'link/'))
  expect(engine.folders.map(({ targetPath }) => relative(directory, targetPath))).toEqual(['file (1)', 'link (1)'])
})

it('adds no folder twice, and none inside a folder that another transfer fills', async () => {
  const directory = await tempDir()
  const row = { direction: 'download', localPath: join(directory, '2026') } as const
  const listed = transferRow({ ...row, key: 'media/2026/' })
  const engine = fakeEngine([listed])
  const copies = { ...folders(directory, 'media/2026/'), asCopies: true }
  expect(await enqueueDownloads(engine, places, folders(directory, 'media/2026/', 'old/2026/'))).toEqual({
    added: 1,
    skipped: [listedAlready('2026')],
    ids: [listed.id],
    copies,
  })
  expect(await enqueueDownloads(engine, places, copies)).toMatchObject({ added: 1, skipped: [] })
  expect(engine.folders.map(({ targetPath }) => targetPath)).toEqual([
    join(directory, '2026 (1)'),
    join(directory, '2026 (1)'),
  ])
})

it('has uploads replace only what a person said is to be replaced', async () => {
  const folder = await files('a.mov', 'b.mov')
  const paths = ['a.mov', 'b.mov'].map((name) => join(folder, name))
  const engine = fakeEngine()
  for (const onConflict of [undefined, 'keep-both', 'replace'] as const) {
    const prefix = `${onConflict}/`
    await enqueueUploads(engine, places, { placeId: 'demo', prefix, paths, onConflict }, nothingThere)
  }
  expect(engine.uploads.map(({ onConflict }) => onConflict)).toEqual([
    'fail',
    'fail',
    'fail',
    'fail',
    'replace',
    'replace',
  ])
})

it('binds downloads to the folder as it was when it was chosen, whatever a link leads to later', async () => {
  const folder = await files('real/a')
  await symlink(join(folder, 'real'), join(folder, 'chosen'), 'junction')
  const engine = fakeEngine()
  const asked = { directory: join(folder, 'chosen'), onConflict: 'keep-both' } as const
  await enqueueDownloads(engine, places, { ...asked, source: { kind: 'objects', placeId: 'demo', keys: ['b'] } })
  await enqueueDownloads(engine, places, { ...asked, source: { kind: 'folders', placeId: 'demo', prefixes: ['c/'] } })
  expect([...engine.downloads, ...engine.folders].map(({ root }) => root)).toEqual(Array(2).fill(join(folder, 'real')))
})

/** What the service tells of an object that has the name. */
const THERE = { sizeBytes: 7, lastModified: 'Thu, 12 Nov 2026 21:04:00 GMT' }

it('asks before it uploads what has the name of an object, and adds the others', async () => {
  const folder = await files('a.mov', 'b.mov')
  const paths = ['a.mov', 'b.mov'].map((name) => join(folder, name))
  const engine = fakeEngine()
  const aThere: UploadConflicts = {
    ...nothingThere,
    find: (_placeId, found) =>
      Promise.resolve({ files: new Map(found.slice(0, 1).map((file) => [file, THERE])), isCertain: true }),
  }
  const result = await enqueueUploads(engine, places, { placeId: 'demo', prefix: '', paths }, aThere)
  const ours = { sizeBytes: expect.any(Number) as number, modifiedMs: expect.any(Number) as number }
  const theirs = { sizeBytes: 7, modifiedMs: Date.UTC(2026, 10, 12, 21, 4) }
  expect(result).toMatchObject({ added: 1, taken: { files: [{ path: paths[0], ours, theirs }], isCertain: true } })
  expect(engine.uploads.map(({ key }) => key)).toEqual(['b.mov'])
  const answered = { placeId: 'demo', prefix: '', paths: paths.slice(0, 1), onConflict: 'replace' } as const
  expect(await enqueueUploads(engine, places, answered, aThere)).toMatchObject({ added: 1, taken: { files: [] } })
})
