import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { MIB } from '../../../shared/limits.ts'
import { startTcpProxy } from '../../support/proxies/tcp-proxy.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { openStudio, reads, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { startRecording } from '../../support/pictures/recording.ts'
import { showSteadyFonts } from '../../support/pictures/steady-fonts.ts'
import { resize } from '../../support/window/told-rows.ts'

/** Where `npm run screens -- --recording` wants the frames. */
const FOLDER = process.env['SLUICE_RECORDING']
const NAME = 'aurora.mov'
const SIZE: [number, number] = [960, 600]

it.runIf(FOLDER !== undefined)('shows an upload that is paused, killed and finished', async () => {
  const state = await tempDir()
  const demo = await startDemoStore({ directory: join(state, 'store'), buckets: ['demo'], credentials: null })
  const targetPort = Number(new URL(demo.endpoint).port)
  const line = await startTcpProxy({ targetPort, delayMs: 10, totalBytesPerSecond: 10 * MIB })
  onTestFinished(async () => {
    await line.close()
    await demo.close()
  })
  const userDataDir = join(state, 'user-data')
  const films = join(tmpdir(), 'Films')
  await mkdir(films)
  onTestFinished(() => rm(films, { recursive: true }))
  await writeRandomFile(join(films, NAME), 72 * MIB)
  const sluice = await openStudio(line, userDataDir)
  await resize(sluice, SIZE)
  await showSteadyFonts(sluice.page)
  let recording = await startRecording(sluice.page)
  const row = transferRow(sluice.page, NAME)

  await caption(sluice.page, 'Drop a file anywhere')
  await sleep(1200)
  await dropFiles(sluice.page, [join(films, NAME)])
  await row.click()
  await line.passedToTarget(30 * MIB)
  await caption(sluice.page, 'Pause: what the server confirmed stays')
  await press(row.getByRole('button', { name: 'Pause' }))
  await reads(row, 'Paused')
  await sleep(1500)
  await caption(sluice.page, 'Now the app is killed, and started again')
  await sleep(1500)
  const frames = await recording.stop()
  await sluice.kill()

  const again = await launchSluice({ userDataDir })
  onTestFinished(again.close)
  await resize(again, SIZE)
  await showSteadyFonts(again.page)
  const rowAgain = transferRow(again.page, NAME)
  await rowAgain.click()
  await caption(again.page, 'Resume: only what is missing is sent')
  recording = await startRecording(again.page)
  await sleep(1500)
  await press(rowAgain.getByRole('button', { name: 'Resume' }))
  await reads(rowAgain, /verified/)
  await caption(again.page, 'Uploaded and checked')
  await sleep(2500)
  frames.push(...(await recording.stop()))

  expect(line.bytesToTarget).toBeLessThan(80 * MIB)
  await mkdir(FOLDER ?? '', { recursive: true })
  for (const [index, { png }] of frames.entries()) await writeFile(join(FOLDER ?? '', `${index}.png`), png)
  await writeFile(join(FOLDER ?? '', 'frames.json'), JSON.stringify(frames.map(({ shownMs }) => shownMs)))
})

/** A row changes its group once the pointer is somewhere else. */
async function press(button: Locator): Promise<void> {
  await button.click()
  await button.page().mouse.move(SIZE[0] / 2, SIZE[1] - 60)
}

/** Lays a line of text over the lower edge of the window, in place of the one before. */
async function caption(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => {
    const id = 'caption'
    const line = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'))
    line.id = id
    line.textContent = words
    Object.assign(line.style, {
      ...{ position: 'fixed', bottom: '28px', left: '50%', transform: 'translateX(-50%)', zIndex: '1000' },
      ...{ padding: '9px 18px', borderRadius: '999px', whiteSpace: 'nowrap', pointerEvents: 'none' },
      ...{ background: 'rgb(20 22 28 / 88%)', color: 'white', font: "500 15px 'steady'" },
    })
  }, text)
}
