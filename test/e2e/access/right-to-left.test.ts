import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { everyState } from '../../support/fakes/every-state.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { overlaps } from '../../support/window/overlaps.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function openMirrored() {
  const sluice = await launchSluice({ userDataDir: await tempDir(), environment: { SLUICE_LANGUAGE: 'ar-XB' } })
  onTestFinished(sluice.close)
  await tellRows(sluice, everyState())
  return sluice
}

/** The words of an element that scrolls sideways, of all that are seen below `root`, and of what lies beyond it. */
function cut(page: Page, root: string): Promise<readonly string[]> {
  return page
    .locator(root)
    .first()
    .evaluate((element) => {
      const outer = element.getBoundingClientRect()
      const found: string[] = []
      for (const each of [element, ...element.querySelectorAll<HTMLElement>('*')]) {
        const { left, right, width } = each.getBoundingClientRect()
        const { overflowX } = getComputedStyle(each)
        const words = `${each.tagName} ${(each.textContent ?? '').slice(0, 40)}`
        if (overflowX === 'auto' && each.scrollWidth > each.clientWidth + 1) found.push(`${words} scrolls sideways`)
        const isControl = each.matches('button, input, [role="tab"]') && width > 1
        if (isControl && (left < outer.left - 1 || right > outer.right + 1)) found.push(`${words} is beyond its frame`)
      }
      return found
    })
}

it('mirrors the window: nothing is cut, scrolls sideways or lies over anything', async () => {
  const sluice = await openMirrored()
  const { page } = sluice
  const sidebar = page.locator('nav[data-drawer]')
  const inspector = page.locator('aside').first()
  const row = page.getByRole('row', { name: 'moving.mov', exact: true })
  for (const width of [1080, 900, 640]) {
    await resize(sluice, [width, 600])
    const name = `mirrored-${String(width)}`
    await shot(page, name)
    expect(await overlaps(page), name).toEqual([])
    if (width > 720) {
      const { x = 0, width: wide = 0 } = (await sidebar.boundingBox()) ?? {}
      expect(x + wide).toBe(width)
    }
    await row.click()
    // A drawer where there is no room beside the list.
    if (width < 900) await page.keyboard.press('ControlOrMeta+i')
    await inspector.waitFor()
    // At rest by then: a drawer slides in.
    await shot(page, `${name}-inspector`)
    expect((await inspector.boundingBox())?.x).toBe(0)
    expect(await cut(page, 'aside'), name).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+,')
    await page.getByRole('dialog').waitFor()
    await shot(page, `${name}-settings`)
    expect(await cut(page, '[role="dialog"]'), name).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await sluice.app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('compact-rows')?.click()
  })
  await expect.poll(() => row.evaluate((element) => element.clientHeight)).toBeLessThan(40)
  for (const width of [640, 1080]) {
    await resize(sluice, [width, 600])
    await shot(page, `mirrored-${String(width)}-compact`)
    expect(await overlaps(page), `compact ${String(width)}`).toEqual([])
  }
})

it('opens and closes groups by the arrow that points along the line', async () => {
  const { page } = await openMirrored()
  const head = page.locator('button[data-line-focus]').first()
  await head.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => head.getAttribute('aria-expanded')).toBe('true')
})

it('writes menus and lists of choices from right to left, too', async () => {
  const { page } = await openMirrored()
  const directionOf = (role: 'menu' | 'listbox') =>
    page.getByRole(role).evaluate((element) => getComputedStyle(element).direction)
  await page.getByRole('row', { name: 'moving.mov', exact: true }).click({ button: 'right' })
  expect(await directionOf('menu')).toBe('rtl')
  await shot(page, 'mirrored-menu')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await page.getByRole('dialog').locator('button[aria-haspopup="listbox"]').first().click()
  expect(await directionOf('listbox')).toBe('rtl')
})
