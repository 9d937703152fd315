import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles, uploadSlowly } from '../../support/window/drop-files.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

async function open() {
  const folder = await tempDir()
  const sluice = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(sluice.close)
  return { folder, ...sluice }
}

/** An item of the menu bar as it is now. */
const item = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, wanted) => {
    const found = Menu.getApplicationMenu()?.getMenuItemById(wanted)
    return found === null || found === undefined ? null : { enabled: found.enabled, checked: found.checked }
  }, id)

/** Chooses an item of the menu bar, which the app may have yet to build. */
const choose = (app: ElectronApplication, id: string): Promise<void> =>
  expect
    .poll(() =>
      app.evaluate(({ Menu }, wanted) => {
        const found = Menu.getApplicationMenu()?.getMenuItemById(wanted)
        found?.click()
        return found !== null && found !== undefined
      }, id),
    )
    .toBe(true)

it('offers in the menu bar what can be done with the selection, and nothing behind a sheet', async () => {
  const { folder, app, page } = await open()
  await expect.poll(() => item(app, 'reveal')).toEqual({ enabled: false, checked: false })
  await writeFile(join(folder, 'small.txt'), 'text')
  await dropFiles(page, [join(folder, 'small.txt')])
  await reads(transferRow(page, 'small.txt'), 'verified')
  await transferRow(page, 'small.txt').click()
  await expect.poll(() => item(app, 'reveal')).toMatchObject({ enabled: true })
  expect(await item(app, 'pause')).toMatchObject({ enabled: false })
  await page.keyboard.press('ControlOrMeta+6')
  await expect.poll(() => item(app, 'filter:done')).toMatchObject({ checked: true })
  expect(await item(app, 'filter:all')).toMatchObject({ checked: false })
  await choose(app, 'filter:all')
  await expect.poll(() => item(app, 'filter:all')).toMatchObject({ checked: true })
  await choose(app, 'sort:name')
  await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort="ascending"]')).waitFor()
  await choose(app, 'limit:5000000')
  await page.getByRole('button', { name: 'Limit: 5 MB/s' }).waitFor()
  await choose(app, 'place:demo')
  await page.getByRole('grid', { name: 'Files' }).waitFor()
  await expect.poll(() => item(app, 'reveal')).toMatchObject({ enabled: false })
  await choose(app, 'settings')
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  await expect.poll(() => item(app, 'filter:all')).toMatchObject({ enabled: false })
})

it('says in the window what an item of the menu bar could not do', async () => {
  const { folder, app, page } = await open()
  const values = join(folder, 'user-data', 'state', 'values')
  // The first value that a new app keeps.
  await whenHolds(() => access(join(values, 'demo-port.json')))
  await rename(values, `${values}-away`)
  await writeFile(values, 'not a folder')
  await choose(app, 'limit:5000000')
  await page.getByRole('alert').getByText('The system didn’t allow it (EEXIST).').waitFor()
})

it('lists the shortcuts, and says which Sluice this is', async () => {
  const { app, page } = await open()
  const looks = async (name: string): Promise<void> => {
    await shot(page, name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, `${name}-dark`)
    await page.setViewportSize({ width: 800, height: 560 })
    await shot(page, `${name}-narrow`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1080, height: 720 })
  }
  await page.keyboard.press('ControlOrMeta+/')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByRole('region', { name: 'Selected transfers' }).getByText('Alt+Shift+↑').waitFor()
  await sheet.getByRole('region', { name: 'Files in a place' }).getByText('Alt+↑').waitFor()
  await looks('sheet-shortcuts')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => item(app, 'about')).toMatchObject({ enabled: true })
  await choose(app, 'about')
  const about = page.getByRole('dialog', { name: 'About Sluice' })
  await about.getByText(/^Version \d/).waitFor()
  await about.getByLabel('Notices').filter({ hasText: 'react-aria-components' }).waitFor()
  await looks('sheet-about')
})

it('pauses all for an hour, says until when, and goes on at once when told to', async () => {
  const { folder, app, page } = await open()
  const film = await uploadSlowly(page, folder)
  await expect.poll(() => item(app, 'pause-for:hour')).toMatchObject({ enabled: true })
  await choose(app, 'pause-for:hour')
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await status.getByText(/^Paused until (tomorrow )?\d\d:\d\d$/).waitFor()
  await reads(film, 'Paused')
  await shot(page, 'paused-until')
  await page.setViewportSize({ width: 800, height: 560 })
  await shot(page, 'paused-until-narrow')
  await status.getByRole('button', { name: 'Resume now' }).click()
  await status.getByText('Paused until').waitFor({ state: 'detached' })
  await film.getByRole('button', { name: 'Pause' }).waitFor()
})

it('says that it quits in a minute when all is done, and stays when that is canceled', async () => {
  const { folder, app, page } = await open()
  await choose(app, 'when-done:quit')
  await writeFile(join(folder, 'small.txt'), 'text')
  await dropFiles(page, [join(folder, 'small.txt')])
  await page.getByRole('alert').getByText('All transfers are done. Sluice is about to quit.').waitFor()
  expect(await item(app, 'when-done:quit')).toMatchObject({ checked: true })
  await shot(page, 'countdown')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 800, height: 560 })
  await shot(page, 'countdown-dark-narrow')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await expect.poll(() => item(app, 'when-done:nothing')).toMatchObject({ checked: true })
})

it('gets no updates while it is hidden, and the current state once it is shown again', async () => {
  const { folder, app, page } = await open()
  // Slow until it is hidden, for nothing is to end before.
  const film = await uploadSlowly(page, folder)
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide()
  })
  await page.evaluate(async () => {
    // What was sent before it was hidden has come by then.
    await window.sluice.invoke('places:list', null)
    const deltas: unknown[] = []
    window.sluice.on('queue:delta', (delta) => deltas.push(delta))
    Object.assign(window, { deltas })
    await window.sluice.invoke('settings:set', { limitBytesPerSecond: null })
  })
  const isUploaded = () =>
    page.evaluate(async () => {
      const reply = await window.sluice.invoke('objects:list', {
        placeId: 'demo',
        bucket: 'demo',
        prefix: '',
        marker: null,
      })
      return JSON.stringify(reply).includes('film.mov')
    })
  await expect.poll(isUploaded).toBe(true)
  expect(await page.evaluate(() => Reflect.get(window, 'deltas') as unknown)).toEqual([])
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.show()
  })
  await reads(film, 'verified')
})

it('opens a download once it is done, where that was chosen', async () => {
  const { folder, app, page } = await open()
  await writeFile(join(folder, 'film.mov'), 'a film')
  await dropFiles(page, [join(folder, 'film.mov')])
  const film = transferRow(page, 'film.mov')
  await reads(film, 'verified')
  await expect.poll(() => item(app, 'clear-done')).toMatchObject({ enabled: true })
  await choose(app, 'clear-done')
  await film.waitFor({ state: 'detached' })
  await app.evaluate(({ shell }) => {
    Object.assign(shell, {
      openPath: (path: string) => {
        Object.assign(globalThis, { opened: path })
        return Promise.resolve('')
      },
    })
  })
  await mkdir(join(folder, 'target'))
  await choosePaths({ app }, join(folder, 'target'))
  await page.evaluate(
    async (directory) => {
      await window.sluice.invoke('settings:set', { startsAdded: false })
      const source = { kind: 'objects', placeId: 'demo', bucket: 'demo', keys: ['film.mov'] } as const
      await window.sluice.invoke('downloads:enqueue', { source, directory, onConflict: 'keep-both' })
    },
    join(folder, 'target'),
  )
  await film.click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Open when done', checked: false }).click()
  await film.click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Open when done', checked: true }).waitFor()
  await shot(page, 'row-menu-open-when-done')
  await page.keyboard.press('Escape')
  await film.getByRole('button', { name: 'Resume' }).click()
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'opened') as unknown))
    .toBe(join(folder, 'target', 'film.mov'))
})
