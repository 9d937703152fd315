import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture } from '../../support/worlds/download-fixture.ts'

/** Everything 16 times smaller, blocks 32 times: what counts is how many steps there are, and each has runs of its own. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return { ...smallerLimits(await original<typeof Limits>(), 16), WRITE_BLOCK_BYTES: 32 * 1024 }
})

const SIZE = 9 * MIB + 5
const BYTES = randomBytes(SIZE)

/** Ends after a number of calls: that call does not happen, nor does any later one, as after a power cut. */
class Power {
  calls = 0
  readonly #callsLeft: number

  constructor(callsLeft: number) {
    this.#callsLeft = callsLeft
  }

  spend(): void {
    this.calls += 1
    if (this.calls > this.#callsLeft) throw new Error('The power is gone')
  }
}

/** A file system on that power. What was written and not synced is lost with it. */
function mortalFiles(power: Power, link: FileSystem['link'] = fs.link) {
  const unsynced = new Map<string, { position: number; length: number }[]>()
  const mortal =
    <Arguments extends unknown[], Value>(call: (...given: Arguments) => Promise<Value>) =>
    async (...given: Arguments): Promise<Value> => {
      power.spend()
      return await call(...given)
    }
  const open: FileSystem['open'] = async (path, flags, mode) => {
    power.spend()
    const handle = await fs.open(path, flags, mode)
    const writes = unsynced.get(String(path)) ?? []
    unsynced.set(String(path), writes)
    const sync = (name: 'sync' | 'datasync') =>
      mortal(async () => {
        await handle[name]()
        writes.length = 0
      })
    const own: Partial<FileHandle> = {
      writev: mortal(async (blocks, position) => {
        writes.push({ position: position ?? 0, length: blocks.reduce((sum, block) => sum + block.byteLength, 0) })
        return await handle.writev(blocks, position)
      }),
      sync: sync('sync'),
      datasync: sync('datasync'),
      utimes: mortal((...given: Parameters<FileHandle['utimes']>) => handle.utimes(...given)),
    }
    return new Proxy(handle, {
      get(target, name) {
        const found = own[name as keyof FileHandle] ?? (Reflect.get(target, name) as unknown)
        return typeof found === 'function' ? (found.bind(target) as unknown) : found
      },
    })
  }
  const fileSystem: FileSystem = {
    ...fs,
    open,
    link: mortal(link),
    unlink: mortal(fs.unlink),
    rename: mortal(fs.rename),
  }
  async function loseUnsynced(): Promise<void> {
    for (const [path, writes] of unsynced) {
      if (writes.length === 0) continue
      const handle = await fs.open(path, 'r+')
      for (const { position, length } of writes) await handle.write(Buffer.alloc(length, 'lost'), 0, length, position)
      await handle.close()
    }
  }
  return { fileSystem, loseUnsynced }
}

/** The final names hold nothing, the old file, or the whole new version. */
async function expectNoHalfFile(fixture: DownloadFixture, old: string | null): Promise<void> {
  const names = (await fixture.files()).filter((name) => !name.startsWith('.'))
  const contents = await Promise.all(names.map((name) => fs.readFile(join(fixture.directory, name))))
  // An empty file reserves the name for a moment where there are no links.
  const allowed = [sha256(BYTES), sha256(Buffer.from(old ?? ''))]
  for (const content of contents) expect(allowed).toContain(sha256(content))
}

interface Scenario {
  readonly name: string
  readonly onConflict: DownloadRecord['onConflict']
  readonly old: string | null
  readonly link?: FileSystem['link']
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'a free name', onConflict: 'fail', old: null },
  { name: 'a taken name', onConflict: 'keep-both', old: 'mine' },
  { name: 'a name to replace', onConflict: 'replace', old: 'mine' },
  {
    name: 'a free name without links',
    onConflict: 'fail',
    old: null,
    link: () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' })),
  },
]

test.each(SCENARIOS)(
  'T17, T18: killed at any step, with unsynced writes lost, it goes on and ends well: $name',
  async ({ onConflict, old, link }) => {
    const fixture = await downloadFixture(BYTES)
    let isComplete = false
    for (let callsLeft = 0; !isComplete; callsLeft += 1) {
      await fs.rm(fixture.directory, { recursive: true })
      await fs.mkdir(fixture.directory)
      if (old !== null) await fs.writeFile(fixture.target, old)
      await fixture.enter({ onConflict })
      isComplete = await killAndGoOn(fixture, callsLeft, old, link ?? fs.link)
    }
  },
  120_000,
)

test('killed again and again, later each time, it ends well', async () => {
  const fixture = await downloadFixture(BYTES)
  let isComplete = false
  for (let callsLeft = 1; !isComplete; callsLeft += 3) {
    const power = new Power(callsLeft)
    const { fileSystem, loseUnsynced } = mortalFiles(power)
    fixture.checkpoints.onWrite = () => {
      power.spend()
    }
    isComplete = (await fixture.begin({ fileSystem }).outcome).kind === 'completed'
    await loseUnsynced()
    await expectNoHalfFile(fixture, null)
    fixture.restart()
  }
  expect(await sha256OfFile(fixture.target)).toBe(sha256(BYTES))
  expect(await fixture.files()).toEqual(['set.bin'])
})

async function killAndGoOn(
  fixture: DownloadFixture,
  callsLeft: number,
  old: string | null,
  link: FileSystem['link'],
): Promise<boolean> {
  const power = new Power(callsLeft)
  const { fileSystem, loseUnsynced } = mortalFiles(power, link)
  fixture.checkpoints.onWrite = () => {
    power.spend()
  }
  const killed = await fixture.begin({ fileSystem, connections: 1 }).outcome
  await loseUnsynced()
  await expectNoHalfFile(fixture, old)

  fixture.restart()
  const done = killed.kind === 'completed' ? killed : await fixture.begin({ fileSystem: { ...fs, link } }).outcome
  expect([callsLeft, done]).toEqual([callsLeft, { kind: 'completed', verification: 'etag-md5' }])
  const record = [...fixture.checkpoints.records.values()][0] as DownloadRecord
  expect(await sha256OfFile(record.targetPath)).toBe(sha256(BYTES))
  await expectNoHalfFile(fixture, old)
  const isBeside = old !== null && record.onConflict === 'keep-both'
  expect([callsLeft, await fixture.files()]).toEqual([callsLeft, isBeside ? ['set (1).bin', 'set.bin'] : ['set.bin']])
  return killed.kind === 'completed'
}
