import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import type { Hasher } from '../../../electron/engine/core/deps.ts'
import type { DownloadRecord, ObjectIdentity } from '../../../electron/engine/core/records.ts'
import { discardDownload } from '../../../electron/engine/partial-file/partial-file.ts'
import { withoutSecrets } from '../../../electron/engine/partial-file/sidecar.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import {
  createFastClock,
  downloadFixture,
  sha256,
  sha256OfFile,
  type DownloadFixture,
} from '../../support/worlds/download-fixture.ts'

/** Everything 8 times smaller: what counts is how many requests there are, not how long each is. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return smallerLimits(await original<typeof Limits>(), 8)
})

const DONE = { kind: 'completed', verification: 'etag-md5' }
const SIZE = 40 * MIB + 5

const recordOf = (fixture: DownloadFixture) => [...fixture.checkpoints.records.values()][0] as DownloadRecord
const claimsOf = async (fixture: DownloadFixture) => fixture.checkpoints.ranges(recordOf(fixture).id)
const partialOf = (fixture: DownloadFixture) => recordOf(fixture).partialPath as string

/** Runs until `bytes` have arrived, then pauses. */
async function pauseAt(fixture: DownloadFixture, bytes: number) {
  const running = fixture.begin({ onMoved: (moved) => moved >= bytes && running.stop('pause') })
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  return running
}

test('a pause keeps every byte that has arrived, and the next run fetches only the rest', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const paused = await pauseAt(fixture, 18 * MIB)
  expect(paused.progress.inFlightBytes).toBe(0)
  const claimed = (await claimsOf(fixture)).reduce((sum, range) => sum + range.end - range.start, 0)
  expect(claimed).toBe(paused.progress.confirmedBytes)
  expect(claimed).toBe(paused.progress.movedBytes)

  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress).toMatchObject({ movedBytes: SIZE - claimed, confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('many pauses leave few claims, and the right bytes', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let confirmed = 0
  for (let at = 2 * MIB; confirmed < SIZE - 4 * MIB; at = 3 * MIB) {
    const paused = await pauseAt(fixture, at)
    confirmed = paused.progress.confirmedBytes
    expect((await claimsOf(fixture)).length).toBeLessThanOrEqual(6)
  }
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('after an unclean stop a damaged range is fetched again, and no other', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await pauseAt(fixture, 30 * MIB)
  const claims = await claimsOf(fixture)
  const damaged = claims[0]
  const file = await fs.open(partialOf(fixture), 'r+')
  await file.write(Buffer.from([(bytes[damaged?.start ?? 0] ?? 0) ^ 1]), 0, 1, damaged?.start)
  await file.close()
  fixture.checkpoints.afterUncleanStop = true
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  const claimed = claims.reduce((sum, range) => sum + range.end - range.start, 0)
  // What the sidecar notes is finer than the claims.
  expect(resumed.progress.movedBytes).toBeGreaterThan(SIZE - claimed)
  expect(resumed.progress.movedBytes).toBeLessThanOrEqual(SIZE - claimed + 5 * MIB)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a request is not given up on for the time that looking at what is there took', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await pauseAt(fixture, 18 * MIB)
  const clock = createFastClock()
  const tested = await createTestHasher()
  let laterMs = 0
  const hasher: Hasher = {
    ...tested,
    crc32(...asked) {
      laterMs += 120_000
      return tested.crc32(...asked)
    },
  }
  fixture.proxy.rule({ fault: { kind: 'response', status: 503 }, times: 1 })
  const resumed = fixture.begin({
    hasher,
    giveUpAfterMs: 60_000,
    clock: { ...clock, nowMs: () => clock.nowMs() + laterMs, monotonicMs: () => clock.monotonicMs() + laterMs },
  })
  expect(await resumed.outcome).toEqual(DONE)
  expect([laterMs > 0, resumed.waits]).toEqual([true, ['server-busy']])
})

test('bytes of an earlier run that another program changed are not published where only the size is known', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  fixture.proxy.rule({ fault: { kind: 'headers', set: { ETag: '"opaque"' } } })
  await pauseAt(fixture, 20 * MIB)
  const [claim] = await claimsOf(fixture)
  const at = claim?.start ?? 0
  let damage = (): void => {
    damage = () => undefined
    // After the look that every run begins with.
    writeFileSync(partialOf(fixture), Buffer.from([(bytes[at] ?? 0) ^ 1]), { flag: 'r+' })
  }
  const resumed = fixture.begin({ onMoved: () => damage() })
  expect(await resumed.outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'no-checksum' })
  expect(at).toBe(0)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a partial file cut short by a power failure loses only what it lost', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await pauseAt(fixture, 30 * MIB)
  await fs.truncate(partialOf(fixture), 3 * MIB)
  fixture.checkpoints.afterUncleanStop = true
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a missing partial file means a new start, and the log says so', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await pauseAt(fixture, 20 * MIB)
  await fs.unlink(partialOf(fixture))
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(SIZE)
  expect(resumed.log).toContain('The partial file is gone; starting the download over')
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('a missing folder may be a drive that comes back: nothing is forgotten', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await pauseAt(fixture, 20 * MIB)
  const claims = await claimsOf(fixture)
  const away = `${fixture.directory}-away`
  await fs.rename(fixture.directory, away)
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(await claimsOf(fixture)).toEqual(claims)
  await fs.rename(away, fixture.directory)
  expect(await fixture.begin().outcome).toEqual(DONE)
})

test('the sidecar tells what a partial file belongs to, and no secret', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await pauseAt(fixture, 10 * MIB)
  const text = await fs.readFile(`${partialOf(fixture)}.json`, 'utf8')
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    key: 'data/set.bin',
    endpoint: fixture.proxy.endpoint,
    targetPath: fixture.target,
    sizeBytes: SIZE,
    etag: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  })
  const location = { kind: 'link', url: 'https://example.com/a?signature=secret' } as const
  expect(withoutSecrets(location)).toEqual({ kind: 'link', url: 'https://example.com/a' })
})

test('bytes written but not claimed when the process is killed are found again, once they fit their CRC', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const id = recordOf(fixture).id
  await pauseAt(fixture, 30 * MIB)
  const claimed = (await claimsOf(fixture)).reduce((sum, range) => sum + range.end - range.start, 0)
  // As after a kill before the first commit.
  await fixture.checkpoints.removeRanges(id, 'all')
  fixture.restart()
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(SIZE - claimed)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('nothing is believed because of a sidecar that is torn, missing or of another version', async () => {
  for (const spoil of [
    (text: string) => text.replace(/"etag":"./, '"etag":"x'),
    (text: string) => text.slice(10),
    (text: string) => text.replaceAll(/\[(\d+),(\d+),\d+\]/g, '[$1,$2,7]'),
    () => '',
  ]) {
    const bytes = randomBytes(SIZE)
    const fixture = await downloadFixture(bytes)
    await pauseAt(fixture, 20 * MIB)
    const path = `${partialOf(fixture)}.json`
    await fs.writeFile(path, spoil(await fs.readFile(path, 'utf8')))
    await fixture.checkpoints.removeRanges(recordOf(fixture).id, 'all')
    fixture.restart()
    const resumed = fixture.begin()
    expect(await resumed.outcome).toEqual(DONE)
    expect(resumed.progress.movedBytes).toBe(SIZE)
    expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  }
})

test('our own sidecar is not believed if it belongs to another version of the same size', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await pauseAt(fixture, 20 * MIB)
  const { id, identity, partialPath } = recordOf(fixture)
  const bytes = randomBytes(SIZE)
  await fixture.put(bytes)
  const { etag, lastModified } = await fixture.direct.headObject({
    key: 'data/set.bin',
    signal: new AbortController().signal,
  })
  await fixture.checkpoints.update(id, {
    identity: { ...(identity as ObjectIdentity), etag, lastModified },
    partialPath,
  })
  await fixture.checkpoints.removeRanges(id, 'all')
  fixture.restart()
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(SIZE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('discarding takes the partial file and its sidecar, and nothing else', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await fs.writeFile(join(fixture.directory, 'mine.txt'), 'mine')
  await pauseAt(fixture, 10 * MIB)
  await discardDownload(recordOf(fixture), fs)
  await discardDownload(recordOf(fixture), fs)
  expect(await fixture.files()).toEqual(['mine.txt'])
})

test('an object that changed since the last run is downloaded anew as a whole', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await pauseAt(fixture, 20 * MIB)
  const bytes = randomBytes(SIZE)
  await fixture.put(bytes)
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(resumed.progress).toMatchObject({ confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('with all bytes there already, the object is still asked whether it is the same', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  const checkpoints = fixture.checkpoints
  checkpoints.onWrite = (method) => {
    if (method === 'update' && recordOf(fixture).partialPath !== null) throw new Error('crash')
  }
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed' })
  checkpoints.onWrite = () => undefined
  const bytes = randomBytes(MIB)
  await fixture.put(bytes)
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})
