import type { Page } from 'playwright-core'

/** Resolves when what fades or moves has come to rest. What never ends is not waited for. */
export async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined)
  })
}
