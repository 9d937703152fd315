import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { animationsEnded } from './animations.ts'
import type { LaunchedSluice } from './electron-app.ts'

const require = createRequire(import.meta.url)

/** Fonts that look the same on every machine, by the token of `renderer/styles/tokens.css` that names them. */
const FONTS = {
  '--font': require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  '--mono': require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
} as const

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
  for (const [token, path] of Object.entries(FONTS)) {
    await page.evaluate(
      async ([name, base64]) => {
        const font = new FontFace(
          `steady${name}`,
          Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
          {
            weight: '100 900',
          },
        )
        document.fonts.add(await font.load())
        document.documentElement.style.setProperty(name, `'steady${name}'`)
      },
      [token, (await readFile(path)).toString('base64')] as const,
    )
  }
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
