import { animationsEnded } from '../window/animations.ts'
import type { LaunchedSluice } from '../window/electron-app.ts'
import { showSteadyFonts } from './steady-fonts.ts'

/** What differs from run to run, and what is shown instead. */
const VARYING: readonly (readonly [pattern: string, shown: string])[] = [
  [String.raw`/tmp/sluice-test-\w+`, '/home/ada'],
  [String.raw`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`, '5f0c2f1e-93a7-4d0b-8c55-2b6f1d7a9e30'],
  [String.raw`[\d.]+ [KMGT]B free`, '512 GB free'],
  [String.raw`127\.0\.0\.1:\d+`, '127.0.0.1:9000'],
]

/** Lets the window have fonts of its own, and the app the same time as the caller, which stands still. */
export async function steady({ app, page }: Pick<LaunchedSluice, 'app' | 'page'>, now: Date): Promise<void> {
  await page.clock.setFixedTime(now)
  await app.evaluate((_electron, atMs) => {
    globalThis.Date = class extends Date {
      constructor(...values: readonly number[]) {
        super(...((values.length === 0 ? [atMs] : values) as [number]))
      }
      static override now = () => atMs
    } as DateConstructor
  }, now.getTime())
  await showSteadyFonts(page)
}

/** A picture of the window at rest, as PNG, with words of no run in place of those that differ from run to run. */
export async function steadyShot({ page }: Pick<LaunchedSluice, 'page'>): Promise<Buffer> {
  await page.evaluate((varying) => {
    const steadied = (text: string) =>
      varying.reduce((result, [pattern, shown]) => result.replaceAll(new RegExp(pattern, 'g'), shown), text)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = steadied(node.nodeValue ?? '')
      if (text !== node.nodeValue) node.nodeValue = text
    }
    for (const field of document.querySelectorAll('input')) field.value = steadied(field.value)
  }, VARYING)
  await animationsEnded(page)
  // Of a zoomed page Playwright would show a corner.
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' })
  await session.detach()
  return Buffer.from(data, 'base64')
}
