import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { holdToasts } from '../../support/window/held-waits.ts'

async function open(userDataDir: string) {
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  return sluice
}

it('adds without starting, sums up a batch, and clears it when the app closes', async () => {
  const folder = await tempDir()
  const first = await open(join(folder, 'user-data'))
  const { page } = first
  await page.keyboard.press('ControlOrMeta+,')
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await sheet.getByRole('tab', { name: 'Transfers' }).click()
  await sheet.getByText('Start transfers when added').click()
  await sheet.getByText('When Sluice closes').click()
  await shot(page, 'settings-transfers')
  await sheet.getByRole('button', { name: 'Done' }).click()
  const names = ['one.txt', 'two.txt', 'three.txt']
  for (const name of names) await writeRandomFile(join(folder, name), 5000)
  await dropFiles(
    page,
    names.map((name) => join(folder, name)),
  )
  for (const name of names) await reads(transferRow(page, name), 'Paused')
  await holdToasts(page)
  await page.getByRole('button', { name: /^Resume 3/ }).click()
  const toast = page.getByRole('status').filter({ hasText: '3 uploaded' })
  await toast.waitFor()
  await shot(page, 'batch-ended')
  await toast.getByRole('button', { name: 'Show' }).click()
  await expect.poll(() => transferRow(page, 'one.txt').getAttribute('aria-selected')).toBe('true')
  await first.close()
  const again = await open(join(folder, 'user-data'))
  await again.page.getByText('Drop files here to upload').waitFor()
})
