import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startListingServer } from '../../support/servers/listing-server.ts'
import { electronExecutable, launchSluice, sluiceArguments } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

interface Ended {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Launches the app in `folder` and waits for its end. */
async function launch(folder: string, words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(electronExecutable(), [...sluiceArguments(join(folder, 'user-data')), ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (texts.stdout += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (texts.stderr += bytes.toString()))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status, signal, ...texts }
}

const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...noDisplay } = process.env

it.runIf(process.platform === 'linux')('answers and refuses in plain words where there is no display', async () => {
  const folder = await tempDir()
  expect(await launch(folder, ['--version'], noDisplay)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Sluice \d+\.\d+\.\d+\n$/) as string,
  })
  const help = await launch(folder, ['--help'], noDisplay)
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: sluice') as string })
  const opened = await launch(folder, [], noDisplay)
  expect(opened).toMatchObject({ status: 1, signal: null })
  expect(opened.stderr).toContain('Sluice can’t open its window: this session has no display.')
  expect(opened.stderr).not.toMatch(/Segmentation|platform failed/)
})

it('prints all that a command has to say, however late it is read', async () => {
  const count = 20_000
  const folder = await tempDir()
  const keys = { SLUICE_BUCKET: 'b', SLUICE_ACCESS_KEY: 'K', SLUICE_SECRET_KEY: 's' }
  const switches = sluiceArguments(join(folder, 'user-data')).filter((word) => !/^--disable-/.test(word))
  const child = spawn(electronExecutable(), [...switches, 'ls'], {
    env: { ...process.env, ...keys, SLUICE_ENDPOINT: await startListingServer(count) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  // More than the system keeps of a pipe is under way when the command has nothing left to do.
  await once(child.stdout, 'readable')
  await Promise.race([ended, sleep(3000)])
  expect((await text(child.stdout)).split('\n')).toHaveLength(count + 1)
  expect(await ended).toEqual([0, null])
})

it('opens the upload sheet for files that a launch names, the first one and another', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'pictures'))
  await Promise.all(['film.mov', 'notes.txt', 'pictures/a.png'].map((name) => writeFile(join(folder, name), 'content')))
  const userDataDir = join(folder, 'user-data')
  const { page, close } = await launchSluice({ userDataDir, links: [join(folder, 'film.mov')] })
  onTestFinished(close)
  const sheet = page.getByRole('dialog', { name: 'Upload film.mov' })
  await sheet.getByText('1 file, 7 bytes').waitFor()
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.waitFor({ state: 'detached' })
  // By names in the folder that the launch was made in.
  const second = await launch(folder, ['notes.txt', 'pictures', 'missing.bin'], process.env)
  expect(second).toMatchObject({ status: 0 })
  await page.getByRole('dialog', { name: 'Upload 2 items' }).getByText('2 files, 14 bytes').waitFor()
  await page.getByText(`Can’t find ${join(folder, 'missing.bin')}.`).waitFor({ state: 'attached' })
  const queue = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  expect(queue).toMatchObject({ ok: true, value: { rows: [] } })
})

it('takes all files of a launch that names more than one copy of the app can tell another', async () => {
  const folder = await tempDir()
  const names = Array.from({ length: 1500 }, (_, index) => `A photo of the summer at the sea ${index}.jpg`)
  await Promise.all(names.map((name) => writeFile(join(folder, name), 'content')))
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  expect(await launch(folder, names, process.env)).toMatchObject({ status: 0 })
  await page.getByRole('dialog', { name: 'Upload 1,500 items' }).getByText('1,500 files, 10.5 kB').waitFor()
})

it('opens the sheets for files and links that macOS hands over', async () => {
  const folder = await tempDir()
  const film = join(folder, 'film.mov')
  await writeFile(film, 'content')
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  const handOver = (event: 'open-file' | 'open-url', what: string) =>
    app.evaluate((electron, given) => electron.app.emit(given.event, { preventDefault: () => undefined }, given.what), {
      event,
      what,
    })
  await handOver('open-file', film)
  const upload = page.getByRole('dialog', { name: 'Upload film.mov' })
  await upload.getByText('1 file, 7 bytes').waitFor()
  await upload.getByRole('button', { name: 'Cancel' }).click()
  await upload.waitFor({ state: 'detached' })
  await handOver('open-url', 'sluice://demo/nothing.mov')
  await page.getByRole('dialog', { name: 'Download from a link' }).filter({ hasText: 'nothing.mov' }).waitFor()
})
