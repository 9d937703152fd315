// A disk that really fills up: a small volume in memory.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { mountSmallVolume } from '../../soak/small-volume.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startObject } from '../../support/servers/object-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'

const SIZE = 40 * MIB
const CONNECTIONS = 6
/** A sixteenth more than what is to come stays free. */
const WHOLE_MB = (SIZE * 17) / 16 / 1e6
const LACKS = /Not enough space on the disk: free up ([\d.]+) MB · continues by itself/

/** All that a row reads within so many milliseconds, however briefly. */
function statesWithin(row: Locator, forMs: number): Promise<string[]> {
  return row.evaluate(async (element, watchedMs) => {
    const states = new Set([element.textContent])
    const observer = new MutationObserver(() => states.add(element.textContent))
    observer.observe(element, { subtree: true, childList: true, characterData: true })
    await new Promise((resolve) => setTimeout(resolve, watchedMs))
    observer.disconnect()
    return [...states]
  }, forMs)
}

it('says how much space a download lacks, before it begins and in its midst, and goes on once that is free', async (context) => {
  const folder = await tempDir()
  const volume = await mountSmallVolume(join(folder, 'volume'), 64 * MIB)
  if (volume === null) return context.skip('mounting takes root')
  onTestFinished(() => volume.close())
  const content = randomBytes(SIZE)
  const proxy = await startFaultProxy({ target: (await startObject(content)).endpoint })
  onTestFinished(() => proxy.close())
  const sluice = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  await choosePaths(sluice, volume.path)
  await page.evaluate((count) => window.sluice.invoke('settings:set', { connectionsPerTransfer: count }), CONNECTIONS)
  const film = transferRow(page, 'film.mov')
  /** The amount that the row says is to be freed, MB. */
  const lackingMb = async () => Number(LACKS.exec((await film.textContent()) ?? '')?.[1])

  await volume.fill()
  await enqueueLink(page, `${proxy.endpoint}/film.mov`, volume.path)
  await reads(film, LACKS)
  expect(await lackingMb()).toBeGreaterThanOrEqual(WHOLE_MB)
  expect(await lackingMb()).toBeLessThan(WHOLE_MB + 0.1)
  await shot(page, 'queue-disk-full')

  const slow = proxy.rule({ fault: { kind: 'limit', bytesPerSecond: 2 * MIB } })
  await volume.free()
  await expect.poll(() => film.textContent(), { timeout: 60_000 }).toMatch(/[1-9][\d.]* of 41\.9 MB/)
  await volume.fill()
  await reads(film, LACKS)
  // What has arrived needs no more room.
  expect(await lackingMb()).toBeLessThan(WHOLE_MB - 1)
  const requests = proxy.log.length
  expect((await statesWithin(film, 8000)).filter((state) => !LACKS.test(state))).toEqual([])
  // Each of its connections may still have been about to ask when the first one met the full disk.
  expect(proxy.log.length - requests).toBeLessThan(CONNECTIONS)

  slow.remove()
  await volume.free()
  await expect.poll(() => film.textContent(), { timeout: 60_000 }).toContain('41.9 MB in')
  expect((await readFile(join(volume.path, 'film.mov'))).equals(content)).toBe(true)
}, 180_000)
