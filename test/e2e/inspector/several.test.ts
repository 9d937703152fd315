import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

it('adds up several selected transfers, and looks into the one that is left', async () => {
  const folder = await tempDir()
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  for (const [name, sizeBytes] of [
    ['a.mov', 2 * MIB],
    ['b.mov', 3 * MIB],
  ] as const) {
    await writeRandomFile(join(folder, name), sizeBytes)
    await dropFiles(page, [join(folder, name)])
    await reads(transferRow(page, name), 'verified')
  }
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await transferRow(page, 'a.mov').click()
  await inspector.getByRole('heading', { name: 'a.mov' }).waitFor()
  await transferRow(page, 'b.mov').click({ modifiers: ['ControlOrMeta'] })
  await inspector.getByRole('heading', { name: '2 selected' }).waitFor()
  await reads(inspector, /Done\s*2/)
  await reads(inspector, /Size\s*5\.24 MB/)
  await shot(page, 'inspector-several')
  await inspector.getByRole('button', { name: 'Copy details' }).click()
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/Name: .\.mov[^]*Name: .\.mov/)
  await transferRow(page, 'a.mov').click({ modifiers: ['ControlOrMeta'] })
  await inspector.getByRole('heading', { name: 'b.mov' }).waitFor()
})
