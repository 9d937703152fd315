import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { everyState } from '../../support/fakes/every-state.ts'
import { reads, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { cutRings } from '../../support/window/overlaps.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { makeHollowFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function openWindow() {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  return sluice
}

/** The pane that has focus, as HTML calls it. */
function focusedPane(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest('[data-pane]')?.tagName.toLowerCase())
}

it('walks the panes with F6 in a circle, both ways, at every width', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  await page.getByRole('row', { name: 'moving.mov', exact: true }).click()
  const panes = { 1080: ['main', 'aside', 'header', 'nav'], 640: ['main', 'header'] }
  for (const [width, expected] of Object.entries(panes)) {
    await resize(sluice, [Number(width), 600])
    await page.getByRole('row', { name: 'moving.mov', exact: true }).focus()
    for (const pane of [...expected.slice(1), 'main']) {
      await page.keyboard.press('F6')
      expect(await focusedPane(page), width).toBe(pane)
    }
    for (const pane of [...expected.slice(1).toReversed(), 'main']) {
      await page.keyboard.press('Shift+F6')
      expect(await focusedPane(page), width).toBe(pane)
    }
  }
})

it('draws the whole ring around the buttons beside facts', async () => {
  const { page } = await openWindow()
  const path = join(await tempDir(), 'one.txt')
  await makeHollowFile(path, 1000)
  await dropFiles(page, [path])
  await reads(transferRow(page, 'one.txt'), 'verified')
  await page.getByRole('button', { name: 'Demo store', exact: true }).click()
  await page.getByRole('grid', { name: 'Files' }).getByRole('row', { name: 'one.txt' }).click()
  await page.getByRole('button', { name: 'Copy ETag' }).waitFor()
  expect(await cutRings(page, '[aria-label^="Copy "]')).toEqual([])
})

it('goes through sheets with Ctrl+Enter, and keeps typed links from a click beside them', async () => {
  const { page } = await openWindow()
  await page.getByRole('button', { name: 'Download from a link…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Download', exact: true })
  const links = sheet.getByLabel('Links or paths')
  await links.fill('s3://nowhere/film.mov')
  await page.mouse.click(5, 5)
  expect(await links.inputValue()).toBe('s3://nowhere/film.mov')
  await links.press('Control+Enter')
  const found = page.getByRole('dialog', { name: 'Download 1 item' })
  await found.getByText('No place has the bucket “nowhere” yet.').waitFor()
  // What can't be downloaded is not, whatever is pressed.
  await page.keyboard.press('Control+Enter')
  await found.getByRole('button', { name: 'Back' }).click()
  expect(await links.inputValue()).toBe('s3://nowhere/film.mov')
})

it('keeps focus on the tool whose press makes it unavailable, and walks on from there', async () => {
  const { page } = await openWindow()
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 200_000 }))
  const film = join(await tempDir(), 'film.mov')
  await makeHollowFile(film, 40 * MIB)
  await dropFiles(page, [film])
  await transferRow(page, 'film.mov').click()
  const toolbar = page.getByRole('toolbar', { name: 'Actions' })
  const tool = (name: string) => toolbar.getByRole('button', { name, exact: true })
  const focused = () => page.evaluate(() => document.activeElement?.textContent.trim())
  const [pause, resume] = [tool('Pause'), tool('Resume')]
  await expect.poll(() => pause.isEnabled()).toBe(true)
  await pause.focus()
  for (const [pressed, other, key] of [
    [pause, resume, 'ArrowRight'],
    [resume, pause, 'ArrowLeft'],
  ] as const) {
    const name = await pressed.textContent()
    await page.keyboard.press('Enter')
    await expect.poll(async () => [await pressed.isDisabled(), await other.isEnabled()]).toEqual([true, true])
    expect(await focused()).toBe(name?.trim())
    // Nothing comes of another press.
    await page.keyboard.press('Enter')
    expect(await pressed.isDisabled()).toBe(true)
    await page.keyboard.press(key)
    expect(await focused()).toBe((await other.textContent())?.trim())
  }
})

it('keeps the focus on the button that makes a sample, and hands it to the row that comes of it', async () => {
  const { page } = await openWindow()
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 1_000_000 }))
  const button = page.getByRole('button', { name: 'Try with a sample' })
  await button.focus()
  await page.evaluate(() => {
    const seen: string[] = []
    const look = (): void => {
      const active = document.activeElement
      const now = active?.getAttribute('role') ?? active?.tagName.toLowerCase() ?? 'nothing'
      if (seen.at(-1) !== now) seen.push(now)
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { focusSeen: seen })
  })
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Sample/ })
  await row.waitFor()
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.evaluate(() => Reflect.get(window, 'focusSeen') as unknown)).toEqual(['button', 'row'])
})

it('puts the keyboard back into the filter field once “Clear” empties it, and keeps what is typed next', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  await page.getByRole('row', { name: 'moving.mov', exact: true }).click()
  const field = page.getByRole('searchbox', { name: 'Filter transfers' })
  await field.fill('nothing is called this')
  await page.getByText('Names inside folders aren’t searched.').waitFor()
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  await clear.focus()
  await page.keyboard.press('Enter')
  await clear.waitFor({ state: 'detached' })
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('moving')
  expect(await field.inputValue()).toBe('moving')
})
