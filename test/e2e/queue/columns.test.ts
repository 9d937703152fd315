import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { resize } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('shows the columns that were chosen, also the next time', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'files'))
  for (const [name, bytes] of [['small.txt', 2_000] as const, ['large.txt', 500_000] as const]) {
    await writeFile(join(folder, 'files', name), 'x'.repeat(bytes))
  }
  const userDataDir = join(folder, 'user-data')
  const first = await launchSluice({ userDataDir })
  onTestFinished(first.close)
  const { page } = first
  await resize(first, [1280, 720])
  await dropFiles(page, [join(folder, 'files/small.txt'), join(folder, 'files/large.txt')])
  await reads(transferRow(page, 'large.txt'), 'verified')
  await reads(transferRow(page, 'small.txt'), 'verified')
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await head('Speed').waitFor()
  expect(await head('Size').count()).toBe(0)

  // With a right click on the heads, and with the button at their end.
  await head('Name').click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Size', checked: false }).click()
  await head('Size').waitFor()
  await page.getByRole('columnheader', { name: 'Actions' }).getByRole('button', { name: 'Columns' }).click()
  await shot(page, 'columns-menu')
  await page.getByRole('menuitemcheckbox', { name: 'Speed', checked: true }).click()
  await head('Speed').waitFor({ state: 'detached' })
  await head('Name').click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Date added' }).click()
  await reads(transferRow(page, 'large.txt').getByRole('gridcell').nth(1), '500 kB')
  await shot(page, 'columns-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'columns-dark')

  // Every row is one line high, from the same menu.
  await head('Name').click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Compact rows', checked: false }).click()

  // Sorted by a column that was chosen.
  await head('Size').click({ position: { x: 3, y: 3 } })
  await expect.poll(() => head('Size').getAttribute('aria-sort')).toBe('descending')
  const names = () => page.locator('[role="row"][data-id][aria-level="1"]').evaluateAll(labelsByTop)
  await expect.poll(names).toEqual(['large.txt', 'small.txt'])
  await head('Size').getByRole('button').click()
  await expect.poll(names).toEqual(['small.txt', 'large.txt'])

  // Where there is less room they go, the name stays.
  await resize(first, [640, 480])
  await head('Added').waitFor({ state: 'detached' })
  await shot(page, 'columns-640')
  await first.close()

  const second = await launchSluice({ userDataDir })
  onTestFinished(second.close)
  await resize(second, [1280, 720])
  await second.page.getByRole('columnheader', { name: 'Size', exact: true }).waitFor()
  await second.page.getByRole('columnheader', { name: 'Added', exact: true }).waitFor()
  await second.page.getByRole('columnheader', { name: 'Name', exact: true }).click({ button: 'right' })
  await second.page.getByRole('menuitemcheckbox', { name: 'Compact rows', checked: true }).waitFor()
  await second.page.keyboard.press('Escape')
  expect(await second.page.getByRole('columnheader', { name: 'Speed', exact: true }).count()).toBe(0)
})

function labelsByTop(rows: readonly (HTMLElement | SVGElement)[]): readonly (string | null)[] {
  return rows
    .toSorted((left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top)
    .map((row) => row.getAttribute('aria-label'))
}
