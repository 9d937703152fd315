import { randomBytes } from 'node:crypto'
import { readSync, openSync, closeSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import type { FileSystem, Hasher } from '../../../electron/engine/core/deps.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import { systemError } from '../../support/fakes/simulated-disk.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture } from '../../support/worlds/download-fixture.ts'

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

/** What a worn sector holds: as long as it does, nothing can read it. A drive replaces it once it is written. */
const WORN = Buffer.from('the sector that can’t be read')

/** A drive that can't read the first bytes of files while `isWorn`. */
async function wornDrive(isWorn: (path: string) => boolean = beginsWorn) {
  const tested = await createTestHasher()
  let failures = 0
  const check = (path: string, offset: number): void => {
    if (offset > 0 || !isWorn(path)) return
    failures += 1
    throw systemError('EIO', 'read')
  }
  const hasher: Hasher = {
    ...tested,
    async crc32(path, offset, ...rest) {
      check(path, offset)
      return await tested.crc32(path, offset, ...rest)
    },
    open(path, algorithm) {
      const stream = tested.open(path, algorithm)
      return {
        ...stream,
        async append(...given) {
          check(path, 0)
          await stream.append(...given)
        },
      }
    },
  }
  const fileSystem = filesWith((path) => ({
    read: (...given: readonly unknown[]) => {
      check(path, Number(given[3]))
    },
  }))
  return { hasher, fileSystem, failures: () => failures }
}

/** Before a call of an open file that is named so; may throw. */
type Before = Readonly<Record<string, (...given: readonly unknown[]) => void>>

function filesWith(before: (path: string) => Before): FileSystem {
  const open = async (...given: Parameters<typeof fs.open>) =>
    handleWith(await fs.open(...given), before(String(given[0])))
  return { ...fs, open }
}

function handleWith(file: fs.FileHandle, before: Before): fs.FileHandle {
  return new Proxy(file, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return async (...given: readonly unknown[]) => {
        before[String(name)]?.(...given)
        return (await member.apply(target, given)) as unknown
      }
    },
  })
}

function beginsWorn(path: string): boolean {
  const file = openSync(path, 'r')
  const found = Buffer.alloc(WORN.length)
  readSync(file, found, 0, found.length, 0)
  closeSync(file)
  return found.equals(WORN)
}

const wear = (path: string): void => {
  writeFileSync(path, WORN, { flag: 'r+' })
}

async function pausedAt(bytes: Uint8Array, at: number): Promise<DownloadFixture> {
  const fixture = await downloadFixture(bytes)
  const running = fixture.begin({ onMoved: (moved) => moved >= at && running.stop('pause') })
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  return fixture
}

test('bytes on a sector that has become unreadable are fetched again, and no others', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await pausedAt(bytes, 30 * MIB)
  const claimed = (await claimsOf(fixture)).reduce((sum, range) => sum + range.end - range.start, 0)
  wear(partialOf(fixture))
  fixture.checkpoints.afterUncleanStop = true
  const { failures, ...drive } = await wornDrive()
  const resumed = fixture.begin(drive)
  expect(await resumed.outcome).toEqual(DONE)
  expect(failures()).toBeGreaterThan(0)
  expect(resumed.progress.movedBytes).toBeLessThanOrEqual(SIZE - claimed + 5 * MIB)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a sector that becomes unreadable before the file is verified costs what it held', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await pausedAt(bytes, 20 * MIB)
  const { failures, ...drive } = await wornDrive()
  let wearOnce = (): void => {
    wearOnce = () => undefined
    // After the look that every run begins with.
    wear(partialOf(fixture))
  }
  const resumed = fixture.begin({ ...drive, onMoved: () => wearOnce() })
  expect(await resumed.outcome).toEqual(DONE)
  expect(failures()).toBeGreaterThan(0)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('bytes that can’t be read of a partial file from elsewhere are fetched', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await pausedAt(bytes, 30 * MIB)
  const { id } = recordOf(fixture)
  const found = join(await tempDir(), 'found.part')
  for (const end of ['', '.json']) await fs.rename(partialOf(fixture) + end, found + end)
  wear(found)
  await fixture.checkpoints.removeRanges(id, 'all')
  await fixture.checkpoints.update(id, { partialPath: null, borrowedFrom: found })
  const { failures, ...drive } = await wornDrive()
  const resumed = fixture.begin(drive)
  expect(await resumed.outcome).toEqual(DONE)
  expect(failures()).toBeGreaterThan(0)
  expect(resumed.progress.movedBytes).toBeLessThan(SIZE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a file that can’t be compared with the object is kept beside it', async () => {
  const bytes = randomBytes(5 * MIB)
  const fixture = await downloadFixture(bytes)
  await fixture.enter({ onConflict: 'skip-identical' })
  writeFileSync(fixture.target, bytes)
  wear(fixture.target)
  const { failures, ...drive } = await wornDrive()
  expect(await fixture.begin(drive).outcome).toEqual(DONE)
  expect(failures()).toBeGreaterThan(0)
  expect(await fixture.files()).toEqual(['set (1).bin', 'set.bin'])
})

test('a drive that can neither be read nor written loses no progress', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await pausedAt(bytes, 30 * MIB)
  const claims = await claimsOf(fixture)
  const { hasher, failures } = await wornDrive(() => true)
  const refuse = (): void => {
    throw systemError('EIO')
  }
  const fileSystem = filesWith(() => ({ read: refuse, datasync: refuse, sync: refuse }))
  const failed = await fixture.begin({ hasher, fileSystem }).outcome
  expect(failed).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(failures()).toBeGreaterThan(0)
  expect(await claimsOf(fixture)).toEqual(claims)
})
