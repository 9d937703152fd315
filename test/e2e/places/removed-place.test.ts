import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { openStudio, reads } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { uploadSlowly } from '../../support/window/drop-files.ts'

it('stops the transfers of a place that is removed, and says why', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const row = await uploadSlowly(page, folder)
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Remove place…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove Studio?' })
  await question.getByText('1 unfinished transfer stops.').waitFor()
  await question.getByRole('button', { name: 'Remove place' }).click()
  await reads(row, 'The place of this transfer was removed.')
  // Nobody paused or resumed it.
  await row.click()
  const log = page.getByRole('complementary', { name: 'Inspector' }).getByRole('list', { name: 'Log' })
  await reads(log, 'Stopped: its place was removed')
  expect(await log.innerText()).not.toContain('by you')
})
