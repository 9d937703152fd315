import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { mountSmallVolume } from '../../soak/small-volume.ts'
import { MIB } from '../../../shared/limits.ts'
import type { Settings } from '../../../shared/settings.ts'
import { violations } from '../../support/window/accessibility.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice, PATIENCE_MS, startSluice } from '../../support/window/electron-app.ts'
import { resize } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function open(userDataDir: string) {
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  return sluice
}

async function openSettings(page: Page, tab: string) {
  await page.keyboard.press('ControlOrMeta+,')
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await sheet.getByRole('tab', { name: tab }).click()
  return sheet
}

const kept = (page: Page): Promise<Partial<Settings>> =>
  page.evaluate(async () => {
    const reply = await window.sluice.invoke('settings:get', null)
    return reply.ok ? reply.value : {}
  })

it('keeps its tabs in their places while they are changed, in any window', async () => {
  const sluice = await open(await tempDir())
  const { page } = sluice
  const sheet = await openSettings(page, 'General')
  for (const size of [
    [1080, 800],
    [1080, 720],
    [640, 480],
  ] as const) {
    await resize(sluice, size)
    const tops: (number | undefined)[] = []
    for (const tab of await sheet.getByRole('tab').all()) {
      await tab.click()
      tops.push((await tab.boundingBox())?.y)
    }
    expect(Math.max(...tops.map(Number)) - Math.min(...tops.map(Number)), size.join(' by ')).toBeLessThan(3)
  }
})

it('brings what is typed into force when the field is left, takes it back, and resets a section', async () => {
  const { page } = await open(await tempDir())
  const sheet = await openSettings(page, 'Advanced')
  const part = sheet.getByLabel('Part size of uploads in MiB')
  const reset = sheet.getByRole('button', { name: 'Reset to defaults' })
  const undo = sheet.getByRole('button', { name: 'Undo' })
  await expect.poll(() => reset.isDisabled()).toBe(true)
  await part.fill('4')
  await part.press('Tab')
  await sheet.getByText('A whole number from 6 to 5,120').waitFor()
  expect(await kept(page)).toMatchObject({ partSizeBytes: null })
  await part.fill('16')
  await part.press('Enter')
  await undo.waitFor()
  await expect.poll(() => kept(page)).toMatchObject({ partSizeBytes: 16 * 1024 * 1024 })
  await shot(page, 'settings-advanced')
  await sheet.getByLabel('Transfers at a time').fill('5')
  await sheet.getByLabel('Connections per transfer').click()
  await expect.poll(() => kept(page)).toMatchObject({ activeTransfers: 5 })
  await undo.click()
  await expect.poll(() => kept(page)).toMatchObject({ activeTransfers: 3, partSizeBytes: 16 * 1024 * 1024 })
  await undo.waitFor({ state: 'detached' })
  await reset.click()
  await expect.poll(() => kept(page)).toMatchObject({ partSizeBytes: null })
  await expect.poll(() => reset.isDisabled()).toBe(true)
  await undo.click()
  await expect.poll(() => kept(page)).toMatchObject({ partSizeBytes: 16 * 1024 * 1024 })
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'detached' })
})

it('resets the proxy to what it was at first, once something differs from that', async () => {
  const { page } = await open(await tempDir())
  const sheet = await openSettings(page, 'Network')
  const reset = sheet.getByRole('button', { name: 'Reset proxy to defaults' })
  expect(await reset.isDisabled()).toBe(true)
  await sheet.getByRole('radio', { name: 'Manual' }).check({ force: true })
  const direct = sheet.getByLabel('Not for these hosts')
  const atFirst = await direct.inputValue()
  expect(atFirst).toContain('127.0.0.1')
  await direct.fill('')
  await reset.click()
  expect(await reset.isDisabled()).toBe(true)
  await sheet.getByRole('radio', { name: 'Manual' }).check({ force: true })
  expect(await direct.inputValue()).toBe(atFirst)
})

it('has what resets a section at the end of each of them', async () => {
  const { page } = await open(await tempDir())
  const sheet = await openSettings(page, 'General')
  const reset = sheet.getByRole('button', { name: /^Reset (proxy )?to defaults$/ })
  const fromEnd: (readonly number[])[] = []
  for (const tab of await sheet.getByRole('tab').all()) {
    await tab.click()
    await reset.waitFor()
    if ((await tab.textContent()) === 'Network') await shot(page, 'settings-network-reset')
    fromEnd.push(
      await reset.evaluate((button) => {
        const [inner, outer] = [
          button.getBoundingClientRect(),
          button.closest('[role="tabpanel"]')?.getBoundingClientRect(),
        ]
        return [inner.left - (outer?.left ?? 0), (outer?.bottom ?? 0) - inner.bottom].map(Math.round)
      }),
    )
  }
  expect(fromEnd).toEqual(fromEnd.map(() => [0, 0]))
})

it('is not left over a text that can’t be used, and lets what is typed count, whichever way it is left', async () => {
  const { page } = await open(await tempDir())
  const sheet = await openSettings(page, 'Advanced')
  const part = sheet.getByLabel('Part size of uploads in MiB')
  const problem = sheet.getByText('A whole number from 6 to 5,120')
  await part.fill('4')
  // Another tab, and back by Done: the text is still there.
  await sheet.getByRole('tab', { name: 'General' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await problem.waitFor()
  expect(await part.inputValue()).toBe('4')
  await expect.poll(() => part.evaluate((input) => input === document.activeElement)).toBe(true)
  await shot(page, 'settings-not-left')

  await part.fill('3')
  await page.keyboard.press('Escape')
  await problem.waitFor()
  // It has been said: now it is let go.
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await kept(page)).toMatchObject({ partSizeBytes: null })

  await openSettings(page, 'Advanced')
  await part.fill('32')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => kept(page)).toMatchObject({ partSizeBytes: 32 * 1024 * 1024 })
})

it('says that a change is saved once it is, and not where it can’t be', async () => {
  const userDataDir = join(await tempDir(), 'user-data')
  const { page } = await open(userDataDir)
  const sheet = await openSettings(page, 'Advanced')
  const part = sheet.getByLabel('Part size of uploads in MiB')
  const values = join(userDataDir, 'state', 'values')
  await rename(values, `${values}-away`)
  await writeFile(values, '')
  await page.evaluate(() => {
    const seen: string[] = []
    const look = () => void (document.body.textContent.includes('Saved') && seen.push('Saved'))
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { seenInSettings: seen })
  })
  await part.fill('16')
  await part.press('Enter')
  // As it was, because it could not be kept.
  await expect.poll(() => part.inputValue()).toBe('')
  expect(await page.evaluate(() => Reflect.get(window, 'seenInSettings') as unknown)).toEqual([])
  await rm(values)
  await rename(`${values}-away`, values)
  await part.fill('16')
  await part.press('Enter')
  await sheet.getByText('Saved').waitFor()
  await sheet.getByRole('button', { name: 'Undo' }).waitFor()
})

it('shows sizes in other units, and starts with the session without a window', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const environment = { XDG_CONFIG_HOME: join(folder, 'config') }
  const { page, close } = await launchSluice({ userDataDir, environment })
  onTestFinished(close)
  const entry = join(folder, 'config', 'autostart', 'sluice.desktop')
  const sheet = await openSettings(page, 'General')
  await sheet.getByRole('button', { name: /Sizes/ }).click()
  await page.getByRole('option', { name: /^KiB/ }).click()
  await expect.poll(() => kept(page)).toMatchObject({ units: 'binary' })
  // Limits are typed in them; what is not typed stays the same.
  await sheet.getByRole('tab', { name: 'Bandwidth' }).click()
  expect(await sheet.getByLabel('Low speed in MiB/s').inputValue()).toBe('0.953674')
  await sheet.getByLabel('Speed limit in MiB/s').fill('2.5')
  await sheet.getByLabel('Upload limit in MiB/s').focus()
  const limits = { limitBytesPerSecond: 2.5 * MIB, lowSpeedBytesPerSecond: 1_000_000 }
  await expect.poll(() => kept(page)).toMatchObject(limits)
  await page.getByText('Limit: 2.5 MiB/s').waitFor()
  await shot(page, 'settings-bandwidth-binary')
  await sheet.getByRole('tab', { name: 'General' }).click()
  const login = sheet.getByRole('checkbox', { name: 'Open Sluice at login, without its window' })
  await login.press('Space')
  await expect.poll(() => readFile(entry, 'utf8').catch(() => '')).toMatch(/^Exec=.* --hidden$/m)
  // By the icon that packages bring, and by nothing once they are gone.
  const written = await readFile(entry, 'utf8')
  expect(written).toMatch(/^Icon=app\.sluice\.desktop$/m)
  const [, program = ''] = /^TryExec=(.*)$/m.exec(written) ?? []
  await access(program, constants.X_OK)
  await shot(page, 'settings-general')
  expect(await violations(page)).toEqual([])
  await close()

  const hidden = await startSluice({ userDataDir, links: ['--hidden'], environment })
  onTestFinished(() => hidden.close())
  const windows = () => hidden.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  await expect.poll(() => hidden.evaluate(({ app }) => app.listenerCount('activate'))).toBeGreaterThan(0)
  expect(await windows()).toBe(0)
  await hidden.evaluate(({ app }) => app.emit('activate'))
  const shown = await hidden.firstWindow({ timeout: PATIENCE_MS })
  await shown.getByRole('treegrid').waitFor({ state: 'attached' })
  const again = await openSettings(shown, 'General')
  await again.getByRole('checkbox', { name: 'Open Sluice at login, without its window', checked: true }).press('Space')
  await expect.poll(() => readFile(entry, 'utf8').catch(() => '')).toBe('')
})

it('turns low speed on and off by hand and by a schedule, and says until when', async () => {
  const userDataDir = join(await tempDir(), 'user-data')
  const first = await open(userDataDir)
  const { app, page } = first
  const bar = page.getByRole('contentinfo', { name: 'Status' })
  const item = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('low-speed')?.checked ?? null)
  await bar.getByRole('button', { name: 'Low speed' }).click()
  await bar.getByRole('button', { name: 'Low speed · 1 MB/s', pressed: true }).waitFor()
  await expect.poll(item).toBe(true)
  await app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('low-speed')?.click()
  })
  await bar.getByRole('button', { name: 'Limit: Off' }).waitFor()
  await expect.poll(item).toBe(false)

  const sheet = await openSettings(page, 'Bandwidth')
  await sheet.getByLabel('Low speed in MB/s').fill('0.5')
  await sheet.getByText('Use low speed on a schedule').click()
  // Every day from the minute that is now to the one before it: whenever the test runs, it holds.
  const minute = (ms: number) => new Date(ms).toTimeString().slice(0, 5)
  const nowMs = Date.now()
  await sheet.getByLabel('From', { exact: true }).fill(minute(nowMs - 60_000))
  await sheet.getByLabel('To', { exact: true }).fill(minute(nowMs + 3_600_000))
  for (const day of ['Saturday', 'Sunday']) await sheet.getByRole('checkbox', { name: day }).press('Space')
  await sheet.getByRole('checkbox', { name: 'Sunday', checked: true }).waitFor()
  await shot(page, 'settings-bandwidth')
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await resize({ app, page }, [640, 480])
  await shot(page, 'settings-bandwidth-small-dark')
  await resize({ app, page }, [1080, 720])
  await page.keyboard.press('Escape')
  const on = bar.getByRole('button', { name: /^Low speed until (tomorrow )?\d\d:\d\d · 500 kB\/s$/ })
  await on.waitFor()
  await shot(page, 'low-speed-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, 'low-speed')
  expect(await violations(page)).toEqual([])
  await resize({ app, page }, [640, 480])
  await shot(page, 'low-speed-small')
  await resize({ app, page }, [1080, 720])
  await on.click()
  await bar.getByRole('button', { name: 'Limit: Off' }).waitFor()
  await first.close()

  // What a person chose holds until the schedule changes it.
  const again = await open(userDataDir)
  const barAgain = again.page.getByRole('contentinfo', { name: 'Status' })
  await barAgain.getByRole('button', { name: 'Low speed', exact: true }).click()
  await barAgain.getByRole('button', { name: /^Low speed until/ }).waitFor()
})

it('says that the disk is full for as long as it is, and no longer', async (test) => {
  const userDataDir = await tempDir()
  const volume = await mountSmallVolume(join(userDataDir, 'state'), 8 * MIB)
  if (volume === null) return test.skip('mounting takes Linux and root')
  onTestFinished(() => volume.close())
  const { page } = await open(userDataDir)
  await volume.fill()
  const sheet = await openSettings(page, 'Advanced')
  await sheet.getByLabel('Transfers at a time').fill('5')
  await sheet.getByLabel('Connections per transfer').click()
  const notice = page.getByRole('alert').filter({ hasText: 'the disk that holds the list of transfers is full' })
  await notice.waitFor()
  await page.keyboard.press('Escape')
  await notice.waitFor()
  await volume.free()
  await notice.waitFor({ state: 'detached' })
})
