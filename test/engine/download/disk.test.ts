import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { createFastClock, downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'

const DONE = { kind: 'completed', verification: 'etag-md5' }
const SIZE = 24 * MIB + 5

const error = (code: string) => Object.assign(new Error(code), { code })

/** A file system whose partial files ask `before` ahead of each call of these methods; it may throw. */
function faultyFiles(before: (method: 'writev' | 'datasync', position: number) => void): FileSystem {
  const open: FileSystem['open'] = async (...call) => {
    const handle = await fs.open(...call)
    if (!String(call[0]).endsWith('.part')) return handle
    const faulty: Partial<FileHandle> = {
      writev: (blocks, position) => {
        before('writev', position ?? 0)
        return handle.writev(blocks, position)
      },
      datasync: async () => {
        before('datasync', 0)
        await handle.datasync()
      },
    }
    return new Proxy(handle, {
      get(target, name) {
        const own = faulty[name as keyof FileHandle] ?? (Reflect.get(target, name) as unknown)
        return typeof own === 'function' ? (own.bind(target) as unknown) : own
      },
    })
  }
  return { ...fs, open }
}

test('a full disk is waited for; the download goes on when there is space again', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let refused = 0
  const fileSystem = faultyFiles((method, position) => {
    if (method === 'writev' && position > 10 * MIB && refused < 7) {
      refused += 1
      throw error('ENOSPC')
    }
  })
  const running = fixture.begin({ fileSystem })
  expect(await running.outcome).toEqual(DONE)
  expect(new Set(running.waits)).toEqual(new Set(['disk-full']))
  // The disk has room, so that nothing tells how much is missing.
  expect(running.waitStates.flatMap(({ lackingBytes }) => lackingBytes ?? [])).toEqual([])
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('connections that meet a full disk wait together, and fetch nothing until it has room for the rest', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let looks = 0
  let askedBefore: number | null = null
  const isFull = () => askedBefore !== null && looks < 60
  const full = faultyFiles((method, position) => {
    if (method !== 'writev' || position < 10 * MIB) return
    askedBefore ??= fixture.proxy.log.length
    if (isFull()) throw error('ENOSPC')
  })
  let askedWhileFull = 0
  const statfs = ((path: string) =>
    fs.statfs(path).then((stats) => {
      if (!isFull()) return stats
      looks += 1
      askedWhileFull = fixture.proxy.log.length - (askedBefore ?? 0)
      return Object.assign(stats, { bavail: 0 })
    })) as FileSystem['statfs']
  const running = fixture.begin({ fileSystem: { ...full, statfs } })
  expect(await running.outcome).toEqual(DONE)
  expect(new Set(running.waits)).toEqual(new Set(['disk-full']))
  expect(looks).toBe(60)
  // Each of the four may have asked for one more lease before it met the full disk itself.
  expect(askedWhileFull).toBeLessThanOrEqual(4)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a volume that turned read-only is waited for, and the download goes on when it takes writes again', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let refused = 0
  const fileSystem = faultyFiles((method, position) => {
    if (method === 'writev' && position > 10 * MIB && (refused += 1) <= 7) throw error('EROFS')
  })
  let opened = 0
  const open: FileSystem['open'] = (...call) => {
    const isEarly = String(call[0]).endsWith('.part') && (opened += 1) <= 2
    return isEarly ? Promise.reject(error('EROFS')) : fileSystem.open(...call)
  }
  const running = fixture.begin({ fileSystem: { ...fileSystem, open } })
  expect(await running.outcome).toEqual(DONE)
  expect(new Set(running.waits)).toEqual(new Set(['target-unwritable']))
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('space is asked for before the first byte is written, and what lacks is said', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let asked = 0
  const statfs = ((path: string) =>
    fs.statfs(path).then((stats) => {
      asked += 1
      return asked < 4 ? Object.assign(stats, { bavail: 1024, bsize: 1024 }) : stats
    })) as FileSystem['statfs']
  const running = fixture.begin({ fileSystem: { ...fs, statfs } })
  expect(await running.outcome).toEqual(DONE)
  expect(running.waits).toEqual(['disk-full', 'disk-full', 'disk-full'])
  expect(running.waitStates.map(({ lackingBytes }) => lackingBytes)).toContain(SIZE + Math.floor(SIZE / 16) - MIB)
  expect(running.log).toContain('The disk needs 25.7 MB more free space for this download')
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a disk that has room for bytes and takes no more files is waited for as a full one', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let refused = 0
  const open: FileSystem['open'] = (...call) => {
    const isRefused = String(call[0]).endsWith('.part') && (refused += 1) <= 3
    return isRefused ? Promise.reject(error('ENOSPC')) : fs.open(...call)
  }
  const running = fixture.begin({ fileSystem: { ...fs, open } })
  expect(await running.outcome).toEqual(DONE)
  expect(running.waits).toEqual(['disk-full', 'disk-full', 'disk-full'])
  expect(running.log.filter((line) => line.includes('more free space'))).toEqual([])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('gives up on a disk that stays full, keeping what is there', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const fileSystem = faultyFiles((method, position) => {
    if (method === 'writev' && position >= 16 * MIB) throw error('ENOSPC')
  })
  const stopped = fixture.begin({ fileSystem, giveUpAfterMs: 1000 })
  expect(await stopped.outcome).toMatchObject({ kind: 'failed', error: { code: 'gave-up-waiting' } })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(SIZE - stopped.progress.confirmedBytes)
  expect(stopped.progress.confirmedBytes).toBeGreaterThan(8 * MIB)
})

test('a disk that becomes full late is waited for as one that always was', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const clock = createFastClock()
  let laterMs = 0
  let isFull = false
  const fileSystem = faultyFiles((method, position) => {
    if (method === 'writev' && position >= 8 * MIB) laterMs = 120_000
    if (method === 'writev' || laterMs === 0 || isFull) return
    isFull = true
    throw error('ENOSPC')
  })
  const running = fixture.begin({
    fileSystem,
    connections: 1,
    giveUpAfterMs: 60_000,
    clock: { ...clock, nowMs: () => clock.nowMs() + laterMs, monotonicMs: () => clock.monotonicMs() + laterMs },
  })
  expect(await running.outcome).toEqual(DONE)
  expect(running.waits).toEqual(['disk-full'])
})

test('what a failed sync may have lost is fetched again', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  let syncs = 0
  const fileSystem = faultyFiles((method) => {
    if (method === 'datasync' && (syncs += 1) === 1) throw error('EIO')
  })
  const running = fixture.begin({ fileSystem })
  expect(await running.outcome).toEqual(DONE)
  expect(running.log).toContain('The disk failed to save some of the data; downloading it again')
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(fixture.sentBytes()).toBeGreaterThan(SIZE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a disk that never syncs ends the download without a claim', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  const fileSystem = faultyFiles((method) => {
    if (method === 'datasync') throw error('EIO')
  })
  const running = fixture.begin({ fileSystem })
  expect(await running.outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  expect(running.progress).toMatchObject({ confirmedBytes: 0, inFlightBytes: 0 })
  const [record] = fixture.checkpoints.records.values()
  expect(await fixture.checkpoints.ranges(record?.id ?? '')).toEqual([])
})

test('a folder that can’t be written to keeps no connection from other downloads', async () => {
  const bytes = randomBytes(MIB)
  const fixture = await downloadFixture(bytes)
  const open: FileSystem['open'] = () => Promise.reject(error('EACCES'))
  // More than one place has connections.
  for (let failures = 0; failures < 65; failures += 1) {
    const { outcome } = fixture.begin({ fileSystem: { ...fs, open } })
    expect(await outcome).toMatchObject({ kind: 'failed', error: { code: 'target-unwritable' } })
  }
  expect(await fixture.begin().outcome).toEqual(DONE)
})

test('short writes are completed', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const open: FileSystem['open'] = async (...call) => {
    const handle = await fs.open(...call)
    return new Proxy(handle, {
      get(target, name) {
        if (name === 'writev') {
          return async (blocks: readonly Uint8Array[], position: number) => {
            const first = Buffer.concat(blocks).subarray(0, 300_000)
            const { bytesWritten } = await target.write(first, 0, first.length, position)
            return { bytesWritten, buffers: blocks }
          }
        }
        const own = Reflect.get(target, name) as unknown
        return typeof own === 'function' ? (own.bind(target) as unknown) : own
      },
    })
  }
  expect(await fixture.begin({ fileSystem: { ...fs, open } }).outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})
