import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { animationsEnded } from './animations.ts'

/** What a rule of axe-core finds wrong, and where: one line an element. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // What fades in has other colors for a moment.
  await animationsEnded(page)
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations: found } = await checker.run(document, { resultTypes: ['violations'] })
    return found.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${impact ?? ''}) ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
  })
}
