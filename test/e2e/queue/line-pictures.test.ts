import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { MIB } from '../../../shared/limits.ts'
import { startTcpProxy } from '../../support/proxies/tcp-proxy.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { openStudio, reads, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

/** Where `npm run bench -- lines --pictures` wants them. Nothing else takes two minutes to look at a row. */
const FOLDER = process.env['SLUICE_LINE_PICTURES']
const BYTES_PER_SECOND = 8_000_000 / 8
const NAME = 'film.mov'

it.runIf(FOLDER !== undefined)('shows a row on 8 Mbit/s as time passes', { timeout: 600_000 }, async () => {
  const state = await tempDir()
  const demo = await startDemoStore({ directory: join(state, 'store'), buckets: ['demo'], credentials: null })
  const targetPort = Number(new URL(demo.endpoint).port)
  const line = await startTcpProxy({ targetPort, delayMs: 15, totalBytesPerSecond: BYTES_PER_SECOND })
  onTestFinished(async () => {
    await line.close()
    await demo.close()
  })
  const userDataDir = join(state, 'user-data')
  const sluice = await openStudio(line, userDataDir)
  let row = transferRow(sluice.page, NAME)
  const keep = async (name: string): Promise<void> => {
    await mkdir(FOLDER ?? '', { recursive: true })
    await row.screenshot({ path: join(FOLDER ?? '', `row-${name}.png`), animations: 'disabled' })
  }

  await writeRandomFile(join(state, NAME), 96 * MIB)
  await dropFiles(sluice.page, [join(state, NAME)])
  await row.waitFor()
  const startedMs = performance.now()
  for (const seconds of [5, 15, 60]) {
    await sleep(startedMs + seconds * 1000 - performance.now())
    await keep(`${seconds}-s`)
  }

  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused')
  await keep('paused')
  const kept = Number(/Paused · ([\d.]+)/.exec(await row.innerText())?.[1])
  // What a pause drops is a part or so of a minute's bytes.
  expect(kept).toBeGreaterThan(40)

  await row.getByRole('button', { name: 'Resume' }).click()
  await sleep(12_000)
  await sluice.kill()
  const again = await launchSluice({ userDataDir })
  onTestFinished(again.close)
  row = transferRow(again.page, NAME)
  await row.click()
  await reads(row, /\d [kM]B\/s/)
  await sleep(5000)
  await keep('reopened')
})
