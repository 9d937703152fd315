import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { enqueueLink } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const SIZE_BYTES = 40 * MIB
const HAD_BYTES = 4 * MIB

interface Bus {
  readonly address: string
  readonly kill: () => void
}

/** A session bus of its own, as desktops have one. */
async function startBus(): Promise<Bus> {
  const child = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { address, kill: () => void child.kill('SIGKILL') }
}

const rowOf = ({ page }: LaunchedSluice) =>
  page.evaluate(async () => {
    const reply = await window.sluice.invoke('queue:snapshot', null)
    return reply.ok ? reply.value.rows[0] : undefined
  })

/** A download under way at 1 MB/s, of which the window says that some is safe. */
async function slowDownload(environment: Readonly<Record<string, string>> = {}) {
  const folder = await tempDir()
  const directory = join(folder, 'downloads')
  await mkdir(directory)
  const desk = await createDownloadDesk()
  await desk.put('film.mov', randomBytes(SIZE_BYTES))
  const userDataDir = join(folder, 'user-data')
  const sluice = await launchSluice({ userDataDir, environment })
  onTestFinished(sluice.kill)
  await choosePaths(sluice, directory)
  await sluice.page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 1_000_000 }))
  await enqueueLink(sluice.page, desk.link('film.mov'), directory)
  const confirmed = async () => (await rowOf(sluice))?.confirmedBytes
  await expect.poll(confirmed).toBeGreaterThan(HAD_BYTES)
  return { sluice, userDataDir, exited: once(sluice.app.process(), 'exit') }
}

it('keeps what has arrived when the computer shuts down, and asks nothing', async () => {
  const { sluice, userDataDir, exited } = await slowDownload()
  const asked = sluice.app.evaluate(({ powerMonitor }) => {
    powerMonitor.emit('shutdown', { preventDefault: () => undefined })
  })
  await asked.catch(() => undefined)
  expect(await exited).toEqual([0, null])
  const again = await launchSluice({ userDataDir })
  onTestFinished(again.kill)
  expect((await rowOf(again))?.confirmedBytes).toBeGreaterThan(HAD_BYTES)
})

it.runIf(process.platform === 'linux')(
  'keeps what has arrived when the session’s bus goes, with which Chromium ends at once',
  async () => {
    const bus = await startBus()
    const { userDataDir, exited } = await slowDownload({ DBUS_SESSION_BUS_ADDRESS: bus.address })
    bus.kill()
    await exited
    const again = await launchSluice({ userDataDir })
    onTestFinished(again.kill)
    expect((await rowOf(again))?.confirmedBytes).toBeGreaterThan(HAD_BYTES)
  },
)
