import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { everyState } from '../../support/fakes/every-state.ts'
import { signal } from '../../stores/support/open-store.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { violations } from '../../support/window/accessibility.ts'
import { openStudio, openWorld, row, type BrowserWorld } from '../../support/window/browser-world.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'

const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const

/** Shows one state of the window after the other, and gathers what is wrong with any of them in any look. */
function createJudge(page: Page) {
  const found: string[] = []
  async function judge(state: string): Promise<void> {
    for (const look of LOOKS) {
      await page.emulateMedia(look)
      const name = `${state}, ${look.forcedColors === 'active' ? 'forced colours' : look.colorScheme}`
      found.push(...(await violations(page)).map((each) => `${name}: ${each}`))
    }
  }
  return { judge, found }
}

const closeSheet = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').first().waitFor({ state: 'detached' })
}

async function judgeQueue({ app, page }: BrowserWorld, judge: (state: string) => Promise<void>): Promise<void> {
  await judge('empty queue')
  await tellRows({ app, page }, everyState())
  const grid = page.getByRole('grid', { name: 'Transfers' })
  await row(grid, 'moving.mov').click()
  await judge('queue and inspector')
  await row(grid, 'failed.mov').click()
  await judge('failed row and inspector')
  await row(grid, 'failed.mov').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await judge('menu of a row')
  await page.getByRole('menuitem', { name: 'Limit…' }).click()
  await page.getByRole('dialog').waitFor()
  await judge('limit')
  await closeSheet(page)
  const filters = page.getByRole('navigation', { name: 'Sidebar' })
  await filters.getByRole('button', { name: /^Done/ }).click()
  await row(grid, 'done.mov').hover()
  await judge('actions of a done row')
  await filters.getByRole('button', { name: /^All/ }).click()
  await resize({ app, page }, [1080, 720], 2)
  await judge('queue at 200 %')
  await page.getByRole('button', { name: 'Sidebar' }).click()
  await judge('sidebar as a drawer')
  await page.keyboard.press('Escape')
  await resize({ app, page }, [1080, 720], 1)
}

async function judgeSheets({ page }: BrowserWorld, judge: (state: string) => Promise<void>): Promise<void> {
  await page.keyboard.press('Control+,')
  for (const name of await page.getByRole('dialog').getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name }).click()
    await judge(`settings, ${name}`)
  }
  await closeSheet(page)
  await page.getByRole('button', { name: 'Add place' }).click()
  await judge('new place')
  await page.getByRole('button', { name: 'Advanced' }).click()
  await judge('new place, advanced')
  await page.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('listbox').waitFor()
  await judge('services')
  await page.keyboard.press('Escape')
  await closeSheet(page)
  await page.keyboard.press('Control+Shift+O')
  await judge('download')
  await page.getByRole('tab', { name: 'Link or key' }).click()
  await page.getByLabel('Links or object keys').fill('s3://nowhere/film.mov\nfilm.mov')
  await judge('typed links')
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No place has the bucket “nowhere” yet.').waitFor()
  await judge('links')
  await closeSheet(page)
  const folder = join(await tempDir(), 'Shoot 12 Nov')
  await mkdir(folder)
  await writeFile(join(folder, 'film.mov'), 'film')
  await dropFiles(page, [folder])
  await page.getByRole('dialog', { name: /^Upload/ }).waitFor()
  await judge('upload')
  await closeSheet(page)
}

async function judgeBrowser(world: BrowserWorld, judge: (state: string) => Promise<void>): Promise<void> {
  const { page, put, store } = world
  await put('film.mov', 'the film')
  await put('raw/1.bin', 'one')
  await store.createMultipartUpload({ key: 'reel.mov', signal })
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'film.mov').click()
  await page.getByText('1 unfinished upload', { exact: true }).waitFor()
  await judge('browser')
  for (const item of ['Properties', 'Copy link…', 'Delete…']) {
    await row(grid, 'film.mov').click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor()
    await judge(item)
    await closeSheet(page)
  }
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await judge('menu of a place')
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  await page.getByRole('dialog').getByText('1 unfinished upload', { exact: true }).waitFor()
  await judge('unfinished uploads')
  await page.getByRole('button', { name: 'Actions for reel.mov' }).click()
  await page.getByRole('menuitem', { name: 'Discard…' }).click()
  await page.getByRole('alertdialog').waitFor()
  await judge('question above a sheet')
}

it('holds to the rules of accessible pages in every view, light, dark and with forced colours', async () => {
  const world = await openWorld()
  const { judge, found } = createJudge(world.page)
  await judgeQueue(world, judge)
  await judgeSheets(world, judge)
  await judgeBrowser(world, judge)
  expect(found).toEqual([])
}, 600_000)
