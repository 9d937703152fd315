import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { StateUnwritable } from '../../../electron/engine/core/checkpoint-store.ts'
import { describeError } from '../../../shared/transfer/words/error-words.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

const SIZE = 10 * MIB + 5
const DONE = { kind: 'completed', verification: 'etag-md5' }
const error = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['fail', { kind: 'failed', error: { code: 'target-exists' } }, ['set.bin']],
  ['keep-both', DONE, ['set (1).bin', 'set.bin']],
] as const)('T29: a file that takes the name in mid-download survives (%s)', async (onConflict, outcome, names) => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await fixture.enter({ onConflict })
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  fixture.proxy.rule({ times: 1, fault: { kind: 'stall', at: { responseBytes: MIB }, until } })
  const running = fixture.begin()
  await fixture.proxy.seen({})
  await fs.writeFile(fixture.target, 'a person’s own')
  release()
  expect(await running.outcome).toMatchObject(outcome)
  expect(await fs.readFile(fixture.target, 'utf8')).toBe('a person’s own')
  const visible = (await fixture.files()).filter((name) => !name.startsWith('.'))
  expect(visible.sort()).toEqual([...names])
  expect(await sha256OfFile(join(fixture.directory, names[0]))).toBe(
    onConflict === 'fail' ? sha256(Buffer.from('a person’s own')) : sha256(bytes),
  )
})

test('T56: a disk without room is waited for with the bytes it lacks, and the download ends well', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let isFull = true
  const statfs = ((path: string) =>
    fs
      .statfs(path)
      .then((stats) => (isFull ? Object.assign(stats, { bavail: 4, bsize: MIB }) : stats))) as FileSystem['statfs']
  const running = fixture.begin({ fileSystem: { ...fs, statfs } })
  await whenHolds(() => expect(running.waits).toContain('disk-full'))
  // A sixteenth more than the object needs stays free for everybody else.
  expect(running.log.join('\n')).toContain('The disk needs 6.95 MB more free space for this download')
  isFull = false
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('T56: a database that has no room for a claim loses nothing but time', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  fixture.checkpoints.onWrite = (method) => {
    if (method === 'putRanges') throw error('ENOSPC')
  }
  expect(await fixture.begin({ giveUpAfterMs: 1000 }).outcome).toMatchObject({
    kind: 'failed',
    error: { code: expect.stringMatching(/disk-full|gave-up-waiting/) as string },
  })
  expect(await fixture.files()).not.toContain('set.bin')
  fixture.checkpoints.onWrite = () => undefined
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test.each([
  ['has no room for claims', 'disk-full', error('ENOSPC')],
  ['is on a full disk', 'state-unwritable', new StateUnwritable('ENOSPC', '/state', null)],
  ['is on a disk that turned read-only', 'state-unwritable', new StateUnwritable('EROFS', '/state', null)],
])('T56: a database that %s is waited for, whoever meets it', async (_how, reason, refusal) => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let refusals = 0
  fixture.checkpoints.onWrite = (method) => {
    if (method === 'putRanges' && (refusals += 1) <= 4) throw refusal
  }
  const running = fixture.begin()
  expect(await running.outcome).toEqual(DONE)
  expect(refusals).toBeGreaterThan(4)
  expect(new Set(running.waits)).toEqual(new Set([reason]))
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test.each(['EACCES', 'EPERM'])('T57: a folder that answers %s fails with a reason and leaves nothing', async (code) => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  const open: FileSystem['open'] = () => Promise.reject(error(code))
  const outcome = await fixture.begin({ fileSystem: { ...fs, open } }).outcome
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(await fixture.files()).toEqual([])
})

test('T57: a disk that turned read-only is waited for with a reason, leaves nothing, and the download ends well', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let isReadOnly = true
  const open: FileSystem['open'] = (...how) => (isReadOnly ? Promise.reject(error('EROFS')) : fs.open(...how))
  const running = fixture.begin({ fileSystem: { ...fs, open } })
  await whenHolds(() => expect(running.waits).toContain('target-unwritable'))
  expect(await fixture.files()).toEqual([])
  isReadOnly = false
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

const LOSSES = {
  deleted: (path: string) => fs.unlink(path),
  moved: (path: string) => fs.rename(path, `${path}.old`),
} as const

/** Takes the partial file away while a response stalls, and, `times` times in all, that of each new beginning. */
async function loseInMidDownload(times: number, lose: (path: string) => Promise<void>) {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const stalled = () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const when = { ranged: true, covers: SIZE - 1 }
    return { rule: fixture.proxy.rule({ when, times: 1, fault: { kind: 'stall', at: 'request', until } }), release }
  }
  let { rule, release } = stalled()
  const running = fixture.begin()
  for (let time = 1; time <= times; time += 1) {
    await whenHolds(() => expect(rule.hits).toBe(1))
    const partial = (await fixture.files()).find((name) => name.endsWith('.part')) ?? ''
    await lose(join(fixture.directory, partial))
    const releaseNow = release
    if (time < times) ({ rule, release } = stalled())
    releaseNow()
  }
  return { bytes, fixture, running }
}

test.each(Object.entries(LOSSES))(
  'a partial file that is %s in mid-download is begun anew, and the log says so',
  async (_how, lose) => {
    const { bytes, fixture, running } = await loseInMidDownload(1, lose)
    expect(await running.outcome).toEqual(DONE)
    expect(running.log).toContain('The partial file was moved or deleted; starting the download over')
    expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  },
)

test('a partial file that is deleted again and again ends the download, and the reason names no folder', async () => {
  const { fixture, running } = await loseInMidDownload(2, LOSSES.deleted)
  const outcome = await running.outcome
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'partial-gone' } })
  const context = { name: 'set.bin', placeName: 'Studio', bucket: 'b', localPath: fixture.target }
  const sentence = 'The partial file of set.bin keeps being moved or deleted during the download.'
  if (outcome.kind === 'failed') expect(describeError(outcome.error, context).sentence).toBe(sentence)
})

test('T57: a folder deleted in mid-download ends that one, with a reason, and no other', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(SIZE)
  await desk.put('one', bytes)
  await desk.put('two', bytes)
  await fs.mkdir(join(desk.target, 'gone'))
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  desk.proxy.rule({ when: { path: '/one' }, times: 1, fault: { kind: 'stall', at: { responseBytes: MIB }, until } })
  const open = await desk.open()
  const lost = await open.download(desk.link('one'), 'gone/one')
  await desk.proxy.seen({ path: '/one' })
  await whenHolds(() => expect(desk.proxy.log[0]?.faults).toEqual(['stall']))
  await fs.rm(join(desk.target, 'gone'), { recursive: true, maxRetries: 10 })
  release()
  await open.until(lost, { status: 'failed', error: { code: 'target-unwritable' } })
  const missing = await open.download(desk.link('one'), 'never/there')
  const other = await open.download(desk.link('two'), 'two')
  await open.until(missing, { status: 'failed', error: { code: 'target-unwritable' } })
  await open.until(other, { status: 'completed' })
  expect(await fs.readdir(desk.target)).toEqual(['two'])
})
