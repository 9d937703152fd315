import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../../support/window/accessibility.ts'
import { openWorld } from '../../support/window/browser-world.ts'
import { tour } from '../../support/window/tour.ts'

const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const

/** Gathers what is wrong with any view in any look. */
function createJudge(page: Page) {
  const found: string[] = []
  async function judge(view: string): Promise<void> {
    for (const look of LOOKS) {
      await page.emulateMedia(look)
      const name = `${view}, ${look.forcedColors === 'active' ? 'forced colors' : look.colorScheme}`
      found.push(...(await violations(page)).map((each) => `${name}: ${each}`))
    }
  }
  return { judge, found }
}

it('holds to the rules of accessible pages in every view, light, dark and with forced colors', async () => {
  const world = await openWorld()
  const { judge, found } = createJudge(world.page)
  await tour(world, judge)
  expect(found).toEqual([])
}, 600_000)
