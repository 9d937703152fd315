import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Clock, FileSystem } from '../../../electron/engine/core/deps.ts'
import { MIB } from '../../../shared/limits.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { SILENT_MS } from '../../../electron/engine/volumes/drive-silence.ts'
import { downloadFixture } from '../../support/worlds/download-fixture.ts'
import { expectFile, PROVEN } from '../../support/worlds/download-steps.ts'

const HOUR_MS = 3_600_000

/** A file system that takes two writes to a partial file, and the next ones only after `away`. */
function hangingAfterTwo(away: Promise<void>, onHang: () => void = () => undefined): FileSystem {
  let writes = 0
  return {
    ...fs,
    async open(path, ...rest) {
      const handle = await fs.open(path, ...rest)
      if (!String(path).endsWith('.part')) return handle
      const writev = handle.writev.bind(handle)
      handle.writev = async (buffers, position) => {
        writes += 1
        if (writes > 2) onHang()
        if (writes > 2) await away
        return writev(buffers, position)
      }
      return handle
    },
  }
}

test('of a drive that stops answering the download says that it waits for it, and goes on when it does', async () => {
  const bytes = randomBytes(8 * MIB)
  const fixture = await downloadFixture(bytes)
  let back: () => void = () => undefined
  const away = new Promise<void>((resolve) => (back = resolve))
  const running = fixture.begin({ fileSystem: hangingAfterTwo(away) })
  await expect.poll(() => running.waits, { timeout: 30_000 }).toEqual(['drive-unresponsive'])
  back()
  expect(await running.outcome).toEqual(PROVEN)
  expect(running.waits).toEqual(['drive-unresponsive'])
  await expectFile(fixture, bytes)
})

test('a pause that a write to a silent drive holds up says so at once, and no byte is claimed that is not there', async () => {
  const bytes = randomBytes(8 * MIB)
  const fixture = await downloadFixture(bytes)
  let back: () => void = () => undefined
  const away = new Promise<void>((resolve) => (back = resolve))
  const begun = { hangs: false }
  const fileSystem = hangingAfterTwo(away, () => (begun.hangs = true))
  // Nobody waits as long as while bytes move.
  const system = createSystemClock()
  const sleep: Clock['sleep'] = (delayMs, signal) => system.sleep(delayMs === SILENT_MS ? HOUR_MS : delayMs, signal)
  const running = fixture.begin({ fileSystem, clock: { ...system, sleep } })
  await expect.poll(() => begun.hangs).toBe(true)
  running.stop('pause')
  await expect.poll(() => running.waits, { timeout: 30_000 }).toEqual(['drive-unresponsive'])
  back()
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  expect(await fixture.begin().outcome).toEqual(PROVEN)
  await expectFile(fixture, bytes)
})
