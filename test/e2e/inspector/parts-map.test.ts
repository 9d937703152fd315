import { expect, it, onTestFinished } from 'vitest'
import { showcaseDetails, showcaseRows } from '../../support/fakes/showcase.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { resize, tellDetails, tellRows } from '../../support/window/told-rows.ts'

it('fills the width of the inspector with few parts, beside a scrollbar and without', async () => {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  const { page } = sluice
  await tellRows(sluice, showcaseRows('', Date.now()))
  await page.getByRole('row', { name: 'Aurora – final cut.mov', exact: true }).click()
  const details = showcaseDetails(Date.now())
  await tellDetails(sluice, { ...details, cells: details.cells.slice(0, 8), log: [] })
  const map = page.getByRole('slider', { name: 'Parts map' })
  await map.waitFor()
  const lackingPx = () =>
    map.evaluate((area) => {
      const drawn = area.querySelector('canvas')?.getBoundingClientRect().right ?? 0
      return (area.parentElement?.getBoundingClientRect().right ?? 0) - drawn
    })
  for (const height of [900, 480]) {
    await resize(sluice, [1080, height])
    await expect.poll(lackingPx).toBeLessThan(1)
    await shot(page, `inspector-few-parts-${String(height)}`)
  }
})
