import { expect, it } from 'vitest'
import { violations } from '../../support/window/accessibility.ts'
import { namesIn, openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { startListingServer } from '../../support/servers/listing-server.ts'
import { resize } from '../../support/window/told-rows.ts'

it('finds files in a folder and below it, and leads to where they are', async () => {
  const { app, page, put } = await openWorld()
  for (const key of ['media/Reel 1.mov', 'media/raw/reel 2.mov', 'media/raw/deep/other.bin', 'reel.txt']) {
    await put(key, key)
  }
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'media, folder').dblclick()
  await row(grid, 'raw, folder').waitFor()
  const field = page.getByRole('searchbox', { name: 'Filter this folder' })
  await field.fill('reel')
  await expect.poll(() => namesIn(grid)).toEqual(['Reel 1.mov'])
  await shot(page, 'search-offered')
  await field.press('Enter')
  await page.getByText('Results for “reel” in Studio / media/ and below').waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['raw/reel 2.mov', 'Reel 1.mov'])
  await shot(page, 'search-results')
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await resize({ app, page }, [640, 480])
  await shot(page, 'search-results-small-dark')
  await resize({ app, page }, [1080, 720])

  await row(grid, 'raw/reel 2.mov').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show in its folder' }).click()
  await expect.poll(() => namesIn(grid)).toEqual(['deep, folder', 'reel 2.mov'])
  await expect.poll(() => row(grid, 'reel 2.mov').evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Backspace')
  await field.fill('nothing')
  await page.getByRole('button', { name: 'Search folders below' }).click()
  await page.getByText('No file here or below matches “nothing”').waitFor()
  await page.getByRole('button', { name: 'Close search' }).click()
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder', 'Reel 1.mov'])

  // Esc leaves it from the field, too.
  await field.fill('reel')
  await field.press('Enter')
  await expect.poll(() => namesIn(grid)).toEqual(['raw/reel 2.mov', 'Reel 1.mov'])
  await field.pressSequentially('2')
  await expect.poll(() => namesIn(grid)).toEqual(['raw/reel 2.mov'])
  await field.press('Escape')
  await expect.poll(() => namesIn(grid)).toEqual(['raw/reel 2.mov', 'Reel 1.mov'])
  await field.press('Escape')
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder', 'Reel 1.mov'])
  await shot(page, 'search-left')
  await field.press('ControlOrMeta+1')
  await page.getByText('Drop files here to upload').waitFor()
})

it('shows what it finds while it searches, stops when it is told to, and goes on', async () => {
  const { page, proxy } = await openWorld({ endpoint: await startListingServer(3000) })
  const grid = page.getByRole('grid', { name: 'Files' })
  await openStudio(page)
  await page.getByText('3,000 files').waitFor()
  const held = proxy.rule({ when: { query: { marker: 'object 001999.bin' } }, fault: { kind: 'stall', at: 'request' } })
  const field = page.getByRole('searchbox', { name: 'Filter this folder' })
  await field.fill('99.bin')
  await field.press('Enter')
  await page.getByText('20 files · still searching…').waitFor()
  await shot(page, 'search-running')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('The search was stopped.').waitFor()
  // The request that was under way is given up.
  await proxy.settled()
  held.remove()
  expect((await namesIn(grid))[0]).toBe('object 000099.bin')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('30 files', { exact: true }).waitFor()
})
