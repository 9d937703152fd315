import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import { discardDownload } from '../../../electron/engine/partial-file/partial-file.ts'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture } from '../../support/worlds/download-fixture.ts'

const DONE = { kind: 'completed', verification: 'etag-md5' }
const SIZE_ONLY = { kind: 'completed', verification: 'size-only', lack: 'no-checksum' }
const BYTES = randomBytes(9 * MIB)

const recordOf = (fixture: DownloadFixture) => [...fixture.checkpoints.records.values()][0] as DownloadRecord
const error = (code: string) => Object.assign(new Error(code), { code })
const failing = (code: string) => () => Promise.reject(error(code))

test('a file that is there already is refused before anything is downloaded', async () => {
  const fixture = await downloadFixture(BYTES)
  await fs.writeFile(fixture.target, 'mine')
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'target-exists' } })
  expect(fixture.proxy.log).toEqual([])
  expect(await fs.readFile(fixture.target, 'utf8')).toBe('mine')
})

/** A file takes the final name after the first bytes have arrived. */
async function downloadWhileTaken(
  onConflict: DownloadRecord['onConflict'],
  { fileSystem, content = 'mine' }: { readonly fileSystem?: FileSystem; readonly content?: string | Uint8Array } = {},
) {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ onConflict })
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  fixture.proxy.rule({ times: 1, fault: { kind: 'stall', at: { responseBytes: MIB }, until } })
  const running = fixture.begin(fileSystem === undefined ? {} : { fileSystem })
  await fixture.proxy.seen({})
  await fs.writeFile(fixture.target, content)
  await fs.writeFile(join(fixture.directory, 'set (1).bin'), 'also mine')
  release()
  return { fixture, outcome: await running.outcome }
}

test.each([
  ['with links', fs],
  ['without links', { ...fs, link: failing('EPERM') }],
] as const)(
  'a file that appears meanwhile survives, and the download takes the next free name (%s)',
  async (_name, fileSystem) => {
    const { fixture, outcome } = await downloadWhileTaken('keep-both', { fileSystem })
    expect(outcome).toEqual(DONE)
    expect(await fs.readFile(fixture.target, 'utf8')).toBe('mine')
    expect(await fs.readFile(join(fixture.directory, 'set (1).bin'), 'utf8')).toBe('also mine')
    expect(recordOf(fixture).targetPath).toBe(join(fixture.directory, 'set (2).bin'))
    expect(await sha256OfFile(recordOf(fixture).targetPath)).toBe(sha256(BYTES))
    expect((await fixture.files()).length).toBe(3)
  },
)

test('where a volume numbers no files, one of others with the name is not taken for the partial file', async () => {
  const lstat = (async (...call: Parameters<typeof fs.lstat>) => {
    const found = await fs.lstat(...call)
    return Object.assign(found, { ino: typeof found.ino === 'bigint' ? 0n : 0 })
  }) as FileSystem['lstat']
  const { fixture, outcome } = await downloadWhileTaken('keep-both', { fileSystem: { ...fs, lstat } })
  expect(outcome).toEqual(DONE)
  expect(await fs.readFile(fixture.target, 'utf8')).toBe('mine')
  expect(await sha256OfFile(join(fixture.directory, 'set (2).bin'))).toBe(sha256(BYTES))
})

test('a file that appears the moment before the name is given survives', async () => {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ onConflict: 'keep-both' })
  const link: FileSystem['link'] = async (from, to) => {
    if (to === fixture.target) await fs.writeFile(to, 'mine')
    await fs.link(from, to)
  }
  expect(await fixture.begin({ fileSystem: { ...fs, link } }).outcome).toEqual(DONE)
  expect(await fs.readFile(fixture.target, 'utf8')).toBe('mine')
  expect(await sha256OfFile(join(fixture.directory, 'set (1).bin'))).toBe(sha256(BYTES))
})

test('a file of others with the size and time of ours is not taken for it after a crash', async () => {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ onConflict: 'keep-both' })
  fixture.proxy.rule({ fault: { kind: 'headers', set: { ETag: '"proves-nothing"' } } })
  const link = () => Promise.reject(new Error('crash'))
  expect(await fixture.begin({ fileSystem: { ...fs, link } }).outcome).toMatchObject({ kind: 'failed' })
  const { partialPath } = recordOf(fixture)
  const { atime, mtime } = await fs.stat(partialPath ?? '')
  const other = Buffer.alloc(BYTES.length)
  await fs.writeFile(fixture.target, other)
  await fs.utimes(fixture.target, atime, mtime)
  fixture.restart()
  expect(await fixture.begin().outcome).toEqual(SIZE_ONLY)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(other))
  expect(await sha256OfFile(join(fixture.directory, 'set (1).bin'))).toBe(sha256(BYTES))
})

test('a file that appears meanwhile is not replaced without consent; nothing is lost', async () => {
  const { fixture, outcome } = await downloadWhileTaken('fail')
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'target-exists' } })
  expect(await fs.readFile(fixture.target, 'utf8')).toBe('mine')
  await fs.unlink(fixture.target)
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(0)
})

test('a file that appears meanwhile with the same bytes is the download’s result', async () => {
  const { fixture, outcome } = await downloadWhileTaken('fail', { content: BYTES })
  expect(outcome).toEqual(DONE)
  expect(await fixture.files()).toEqual(['set (1).bin', 'set.bin'])
  const other = await downloadWhileTaken('fail', { content: Buffer.alloc(BYTES.length) })
  expect(other.outcome).toMatchObject({ kind: 'failed', error: { code: 'target-exists' } })
})

test('with consent the old file stays until the new one is verified, then is replaced', async () => {
  const { fixture, outcome } = await downloadWhileTaken('replace')
  expect(outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(BYTES))
  expect((await fixture.files()).length).toBe(2)
})

/** What a power cut would leave in a folder if its file system kept only what it was told to make durable. */
function watchedNames(directory: string) {
  const watched = { names: [] as string[] }
  const open = (async (...call: Parameters<FileSystem['open']>) => {
    const handle = await fs.open(...call)
    if (call[0] !== directory) return handle
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      watched.names = await fs.readdir(directory)
    }
    return handle
  }) as FileSystem['open']
  return { watched, open }
}

test('the new name is durable before the old one goes', async () => {
  const fixture = await downloadFixture(BYTES)
  const { watched, open } = watchedNames(fixture.directory)
  const leftWhenRemoved: string[][] = []
  const unlink: FileSystem['unlink'] = async (path) => {
    if (String(path).endsWith('.part')) leftWhenRemoved.push(watched.names)
    await fs.unlink(path)
  }
  expect(await fixture.begin({ fileSystem: { ...fs, open, unlink } }).outcome).toEqual(DONE)
  expect(leftWhenRemoved).toEqual([expect.arrayContaining(['set.bin'])])
})

test('a busy file is waited for', async () => {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ onConflict: 'replace' })
  let tries = 0
  const rename: FileSystem['rename'] = (from, to) => ((tries += 1) < 4 ? failing('EBUSY')() : fs.rename(from, to))
  expect(await fixture.begin({ fileSystem: { ...fs, rename } }).outcome).toEqual(DONE)
  expect(await fixture.files()).toEqual(['set.bin'])
})

/** A volume without links, where a file is made under the final name, and then nothing can be moved there. */
async function stoppedWithPlaceholder() {
  const fixture = await downloadFixture(BYTES)
  const withoutLinks = { ...fs, link: failing('EPERM') }
  expect(
    await fixture.begin({ fileSystem: { ...withoutLinks, rename: renamingNot(fixture.target) } }).outcome,
  ).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect((await fs.stat(fixture.target)).size).toBe(0)
  return { fixture, withoutLinks }
}

function renamingNot(target: string): FileSystem['rename'] {
  return (from, to) => (to === target ? failing('EIO')() : fs.rename(from, to))
}

test('a download that is given up leaves no empty file under its final name', async () => {
  const { fixture } = await stoppedWithPlaceholder()
  await discardDownload(recordOf(fixture), fs)
  expect(await fixture.files()).toEqual([])
})

test('a download that begins anew with another version takes its own empty file for no file of others', async () => {
  const { fixture, withoutLinks } = await stoppedWithPlaceholder()
  const other = randomBytes(9 * MIB)
  await fixture.put(other)
  expect(await fixture.begin({ fileSystem: withoutLinks }).outcome).toEqual(DONE)
  expect(await fixture.files()).toEqual(['set.bin'])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(other))
})

test('an empty file that somebody else put in the place of ours stays', async () => {
  const { fixture, withoutLinks } = await stoppedWithPlaceholder()
  const mine = join(fixture.directory, 'mine')
  await fs.writeFile(mine, '')
  await fs.utimes(mine, 1000, 1000)
  await fs.rename(mine, fixture.target)
  expect(await fixture.begin({ fileSystem: withoutLinks }).outcome).toMatchObject({ error: { code: 'target-exists' } })
  await discardDownload(recordOf(fixture), fs)
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('a folder that can’t be written to is named, and nothing is left in it', async () => {
  const fixture = await downloadFixture(BYTES)
  const open: FileSystem['open'] = (path, flags) =>
    typeof flags === 'number' ? failing('EACCES')() : fs.open(path, flags)
  expect(await fixture.begin({ fileSystem: { ...fs, open } }).outcome).toMatchObject({
    error: { code: 'target-unwritable', detail: expect.stringContaining(fixture.directory) as string },
  })
  expect(await fixture.files()).toEqual([])
})

test('a link planted under the partial file’s name is not followed', async () => {
  const fixture = await downloadFixture(BYTES)
  const victim = join(fixture.directory, 'victim')
  await fs.writeFile(victim, 'mine')
  await fs.symlink(victim, join(fixture.directory, `.set.bin.${recordOf(fixture).id.slice(0, 8)}.part`), 'junction')
  expect(await fixture.begin().outcome).toMatchObject({ error: { code: 'target-unwritable' } })
  expect(await fs.readFile(victim, 'utf8')).toBe('mine')
})

test('a multipart ETag is proven by the part size that fits', async () => {
  const fixture = await downloadFixture(null)
  const parts = [randomBytes(8 * MIB), randomBytes(8 * MIB), randomBytes(100)]
  const request = { key: 'data/set.bin', signal: new AbortController().signal }
  const { uploadId } = await fixture.direct.createMultipartUpload(request)
  const listed = []
  for (const [index, bytes] of parts.entries()) {
    const partNumber = index * 3 + 1
    const body = { sizeBytes: bytes.length, open: () => [bytes] as unknown as AsyncIterable<Uint8Array> }
    const { etag } = await fixture.direct.uploadPart({ ...request, uploadId, partNumber, body })
    listed.push({ partNumber, etag })
  }
  await fixture.direct.completeMultipartUpload({ ...request, uploadId, parts: listed })
  expect(await fixture.begin().outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(Buffer.concat(parts)))
})

test('an identical file is skipped, another of the same size is kept beside the new one', async () => {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ onConflict: 'skip-identical' })
  await fs.writeFile(fixture.target, BYTES)
  const skipped = fixture.begin()
  expect(await skipped.outcome).toEqual(DONE)
  expect(skipped.progress).toMatchObject({ movedBytes: 0, confirmedBytes: BYTES.length })
  expect(await fixture.files()).toEqual(['set.bin'])

  const other = Buffer.alloc(BYTES.length)
  await fs.writeFile(fixture.target, other)
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(other))
  expect(await sha256OfFile(join(fixture.directory, 'set (1).bin'))).toBe(sha256(BYTES))
})

test.each(['Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'a file of %s, which not every file system keeps, is known again where its time alone tells',
  async (date) => {
    const fixture = await downloadFixture(BYTES)
    fixture.proxy.rule({ fault: { kind: 'headers', set: { 'Last-Modified': date, ETag: '"proves-nothing"' } } })
    expect(await fixture.begin().outcome).toEqual(SIZE_ONLY)
    const { mtimeMs } = await fs.stat(fixture.target)
    expect(mtimeMs).toBeGreaterThanOrEqual(Date.UTC(1980, 0, 1))
    expect(mtimeMs).toBeLessThan(2 ** 31 * 1000)
    await fixture.enter({ onConflict: 'skip-identical', identity: null, partialPath: null, publishing: null })
    const skipped = fixture.begin()
    expect(await skipped.outcome).toEqual(SIZE_ONLY)
    expect(skipped.progress.movedBytes).toBe(0)
    expect(await fixture.files()).toEqual(['set.bin'])
  },
)

test.each(['keep-both', 'replace', 'fail'] as const)(
  'a stop after a file has its name, before the transfer is completed, costs nothing (%s)',
  async (onConflict) => {
    const fixture = await downloadFixture(BYTES)
    await fixture.enter({ onConflict })
    expect(await fixture.begin().outcome).toEqual(DONE)
    fixture.restart()
    const again = fixture.begin()
    expect(await again.outcome).toEqual(DONE)
    expect(again.progress.movedBytes).toBe(0)
    expect(await fixture.files()).toEqual(['set.bin'])
  },
)

test('a file whose time the file system could not keep is known again after a crash at its new name', async () => {
  const fixture = await downloadFixture(BYTES)
  const open: FileSystem['open'] = async (path, ...rest) => {
    const handle = await fs.open(path, ...rest)
    // As ext4 does with what comes after the year 2446.
    handle.utimes = () => fs.utimes(path, 1000, 1000)
    return handle
  }
  const fileSystem = { ...fs, open }
  fixture.checkpoints.onWrite = () => {
    if (existsSync(fixture.target)) throw new Error('crash')
  }
  expect(await fixture.begin({ fileSystem }).outcome).toMatchObject({ kind: 'failed' })
  fixture.restart()
  const again = fixture.begin({ fileSystem })
  expect(await again.outcome).toEqual(DONE)
  expect(again.progress.movedBytes).toBe(0)
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('bytes that were damaged on the disk are fetched again before the file is published', async () => {
  const fixture = await downloadFixture(BYTES)
  let isDamaged = false
  const open: FileSystem['open'] = async (path, ...rest) => {
    const handle = await fs.open(path, ...rest)
    const writev = handle.writev.bind(handle)
    handle.writev = async (blocks, position) => {
      const written = await writev(blocks, position)
      if (!isDamaged && position === 0) await handle.write(Buffer.from([(BYTES[5] ?? 0) ^ 1]), 0, 1, 5)
      isDamaged ||= position === 0
      return written
    }
    return handle
  }
  const running = fixture.begin({ fileSystem: { ...fs, open } })
  expect(await running.outcome).toEqual(DONE)
  expect(isDamaged).toBe(true)
  expect(running.log).toContainEqual(
    expect.stringMatching(/differ from what was written to it; downloading them again/),
  )
  expect(await sha256OfFile(fixture.target)).toBe(sha256(BYTES))
})

/** The folder becomes a link to another one, which holds what a person would not notice: the partial file as well. */
async function swapFolder({ directory }: DownloadFixture): Promise<string> {
  const outside = `${directory}-outside`
  await fs.rename(directory, outside)
  await fs.symlink(outside, directory, 'junction')
  return outside
}

test('a link swapped in for the folder while bytes arrive leads no file outside the chosen folder', async () => {
  const fixture = await downloadFixture(BYTES)
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  fixture.proxy.rule({ times: 1, fault: { kind: 'stall', at: { responseBytes: MIB }, until } })
  const running = fixture.begin()
  await expect.poll(() => fixture.files()).toContainEqual(expect.stringMatching(/\.part$/))
  const outside = await swapFolder(fixture)
  release()
  expect(await running.outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(await fs.readdir(outside)).not.toContain('set.bin')

  // Once the link is gone, what arrived is of use.
  await fs.unlink(fixture.directory)
  await fs.rename(outside, fixture.directory)
  const later = fixture.begin()
  expect(await later.outcome).toEqual(DONE)
  expect(later.progress.movedBytes).toBe(0)
})

test('a link swapped in for the folder before a download begins or goes on leads no byte outside', async () => {
  const fixture = await downloadFixture(BYTES)
  await fixture.enter({ root: fixture.directory })
  const outside = await swapFolder(fixture)
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(await fs.readdir(outside)).toEqual([])
})
