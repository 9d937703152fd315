import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { MIB } from '../../shared/limits.ts'
import type { NewPlace } from '../../shared/place/place.ts'
import { bodyOf, openStore, signal } from '../stores/support/open-store.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { whenHolds } from '../support/tools/when-holds.ts'
import { dropFiles } from '../support/window/drop-files.ts'
import { startDesktopSession, type DesktopSession } from './support/desktop-session.ts'
import { drag, showFileManager } from './support/file-manager.ts'
import { clickNotification, showNotifications } from './support/notifications.ts'
import { apt, cancelSheet, drawsInSandbox, install, isRootOnLinux, noDesktop, PACKAGES } from './support/packages.ts'
import { halfDone, setLimit, verified } from './support/upgrade.ts'

/** A place of the storage dialect with one object, `film.mov`. */
async function createStudio(): Promise<NewPlace> {
  const directory = join(await tempDir(), 'store')
  const credentials = { accessKeyId: 'key', secretAccessKey: 'canary-of-the-keyring' }
  const service = await startDemoStore({ directory, buckets: ['demo'], credentials })
  onTestFinished(() => service.close())
  await openStore(service.endpoint, { credentials }).putObject({
    key: 'film.mov',
    body: bodyOf(Buffer.from('film')),
    signal,
  })
  return {
    ...{ name: 'Studio', endpoint: service.endpoint, bucket: 'demo', dialect: 'storage', pathStyle: true, region: '' },
    ...{ scheme: 'STORAGE', signature: 'hmac-sha1', ...credentials },
    ...{ sessionToken: '', profile: '', preset: 'storage', color: 'none' },
  }
}

describe.skipIf(!isRootOnLinux || noDesktop !== undefined)('the .deb, for a person who is not root', () => {
  let desktop: DesktopSession
  const kept = (name: string) => join(desktop.home, '.config', 'Sluice', 'state', 'values', `${name}.json`)
  const activeWindow = async () =>
    (await desktop.run('xdotool', 'getactivewindow', 'getwindowname').catch(() => ({ stdout: '' }))).stdout.trim()

  beforeAll(async () => {
    await install(PACKAGES.deb ?? '')
    desktop = await startDesktopSession()
    await desktop.startKeyring('unlocked')
  })
  // Nothing of the test before is left.
  beforeEach(() => rm(join(desktop.home, '.config', 'Sluice'), { recursive: true, force: true, maxRetries: 10 }))
  afterAll(async () => {
    await desktop.end()
    await apt('purge', 'sluice')
  })

  test('runs its page in Chromium’s sandbox, is dark where the desktop is, and uploads what is dropped', async () => {
    const gtk = join(desktop.home, '.config', 'gtk-3.0')
    await desktop.run('mkdir', '-p', gtk)
    await writeFile(join(gtk, 'settings.ini'), '[Settings]\ngtk-application-prefer-dark-theme=1\n')
    const { page, pid } = await desktop.openSluice()
    await drawsInSandbox(pid)
    // The driver of the page asks for light unless it is told to ask for nothing.
    await page.emulateMedia({ colorScheme: null })
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
    await dropFiles(page, [await desktop.file('film.mov', 24 * MIB)])
    await verified(page, 'film.mov', 'Upload')
  })

  test('uploads what is dragged from the window of a file manager', async () => {
    const { page } = await desktop.openSluice()
    await desktop.run('xdotool', 'getactivewindow', 'windowmove', '--sync', '0', '0')
    await desktop.run('mkdir', join(desktop.home, 'films'))
    const dragged = await desktop.file('films/dragged.mov', 24 * MIB)
    const icon = await showFileManager(desktop, dirname(dragged))
    // Again where the file was not drawn yet.
    await whenHolds(async () => {
      await drag(desktop, icon, { x: 400, y: 300 })
      await page.getByText('Upload 1 item to Demo store').waitFor({ timeout: 2000 })
    })
    await desktop.run('xdotool', 'mouseup', '1')
    await verified(page, 'dragged.mov', 'Upload')
  })

  test('keeps a key in the keyring, and keeps it while that is locked', async () => {
    const studio = await createStudio()
    const sealed = async () => /"sealedSecret":"([^"]+)"/.exec(await readFile(kept('places'), 'utf8'))?.[1] ?? ''
    const first = await desktop.openSluice()
    await first.page.evaluate((place) => window.sluice.invoke('places:add', place), studio)
    const before = await sealed()
    // By the key that the keyring has; v10 is what the same password everywhere seals.
    expect(Buffer.from(before, 'base64').toString('latin1')).toMatch(/^v11/)
    await first.quit()
    // Nothing is found.
    const search = desktop.run('grep', '-rlF', studio.secretAccessKey, desktop.home)
    await expect(search).rejects.toMatchObject({ code: 1, stdout: '' })

    await desktop.startKeyring('locked')
    const locked = await desktop.openSluice()
    await openStudio(locked.page)
    await locked.page
      .getByRole('alert')
      .filter({ hasText: 'The keyring with the key of Studio can’t be opened now.' })
      .waitFor()
    expect(await sealed()).toBe(before)
    await locked.quit()

    await desktop.startKeyring('unlocked')
    const last = await desktop.openSluice()
    await openStudio(last.page)
    await last.page.getByRole('region', { name: 'Studio' }).getByRole('row', { name: 'film.mov' }).waitFor()
    await last.quit()
  })

  test('brings the one window back for each further launch, with the link or the file that it names', async () => {
    const { page, closed } = await desktop.openSluice()
    await expect.poll(activeWindow).toBe('Sluice')
    await desktop.run('xdotool', 'getactivewindow', 'windowminimize')
    await expect.poll(activeWindow).not.toBe('Sluice')
    await desktop.run('sluice')
    await expect.poll(activeWindow).toBe('Sluice')

    const asked = await desktop.run('env', '--unset=DISPLAY', 'sluice', '--version')
    expect(asked.stdout).toMatch(/^Sluice \d+\.\d+\.\d+$/m)
    await desktop.run('xdg-open', 'sluice://demo/nothing.mov')
    await cancelSheet(page, 'Download from a link', 'nothing.mov')
    await desktop.run('sluice', await desktop.file('given.mov', MIB))
    await cancelSheet(page, /^Upload/, 'given.mov')

    await expect.poll(activeWindow).toBe('Sluice')
    await desktop.run('xdotool', 'key', 'ctrl+q')
    expect(await closed).toEqual([0, null])
  })

  test('tells in a notification what is done, and a click on that brings the window and the row', async () => {
    await showNotifications(desktop)
    const { page } = await desktop.openSluice()
    const row = (name: string) => page.getByRole('row', { name })
    await dropFiles(page, [await desktop.file('first.mov', MIB)])
    await verified(page, 'first.mov', 'Upload')
    await setLimit(page, MIB / 8)
    await dropFiles(page, [await desktop.file('film.mov', 22 * MIB)])
    // What is added is selected.
    await selected(row('film.mov'))
    await row('first.mov').click()
    await selected(row('first.mov'))
    await expect.poll(activeWindow).toBe('Sluice')
    await desktop.run('xdotool', 'getactivewindow', 'windowminimize')
    await expect.poll(activeWindow).not.toBe('Sluice')

    // What takes less than 20 s is not told.
    await setLimit(page, MIB)
    expect(await clickNotification(desktop)).toMatch(/film\.mov uploaded.*verified/s)
    await expect.poll(activeWindow).toBe('Sluice')
    await selected(row('film.mov'))
  })

  test('goes on after a kill, in a window as large as it was, and to the end when the package is removed', async () => {
    const killed = await desktop.openSluice()
    await setLimit(killed.page, 2 * MIB)
    await dropFiles(killed.page, [await desktop.file('long.mov', 40 * MIB)])
    await expect.poll(activeWindow).toBe('Sluice')
    await desktop.run('xdotool', 'getactivewindow', 'windowsize', '900', '600')
    await expect.poll(() => readFile(kept('window'), 'utf8').catch(() => '')).toContain('"width":900')
    await expect.poll(() => halfDone(killed.page)).toEqual(['long.mov'])
    // However long the next start takes.
    await setLimit(killed.page, MIB / 4)
    await killed.kill()

    const { page, quit } = await desktop.openSluice()
    expect(await halfDone(page)).toEqual(['long.mov'])
    expect(await page.evaluate(() => [outerWidth, outerHeight])).toEqual([900, 600])
    await apt('remove', 'sluice')
    await setLimit(page, null)
    await verified(page, 'long.mov', 'Upload')
    await quit()
    await expect(access('/usr/lib/sluice')).rejects.toMatchObject({ code: 'ENOENT' })
    await access(join(desktop.home, '.config', 'Sluice', 'state', 'transfers.db'))
  })
})

function selected(row: Locator): Promise<void> {
  return row.and(row.page().locator('[aria-selected=true]')).waitFor()
}

async function openStudio(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
}
