import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** What the window showed, and for how long (ms). */
export interface Frame {
  readonly png: Buffer
  readonly shownMs: number
}

const FRAME_MS = 100

/** Takes a picture of the window ten times a second, or as often as the machine can. `stop` gives those that differ. */
export async function startRecording(page: Page): Promise<{ stop(): Promise<Frame[]> }> {
  const session = await page.context().newCDPSession(page)
  const taken: { readonly png: Buffer; readonly atMs: number }[] = []
  let isOver = false
  const recording = (async () => {
    while (!isOver) {
      const atMs = performance.now()
      const { data } = await session.send('Page.captureScreenshot', { format: 'png' })
      const png = Buffer.from(data, 'base64')
      if (taken.at(-1)?.png.equals(png) !== true) taken.push({ png, atMs })
      await sleep(Math.max(0, atMs + FRAME_MS - performance.now()))
    }
  })()
  return {
    async stop() {
      isOver = true
      await recording
      await session.detach()
      const endedMs = performance.now()
      return taken.map(({ png, atMs }, index) => ({
        png,
        shownMs: Math.round((taken[index + 1]?.atMs ?? endedMs) - atMs),
      }))
    },
  }
}
