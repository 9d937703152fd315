import { afterEach } from 'vitest'
import { shot } from './window/desk-window.ts'
import { openPages } from './window/electron-app.ts'

/** A window that answers nothing any more is waited for this long (ms). */
const PATIENCE_MS = 5_000

/** Says with what failed what the windows showed then, and keeps a picture of them: where it failed may be far away. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const [index, page] of [...openPages].entries()) {
    const shown = await page.ariaSnapshot({ timeout: PATIENCE_MS }).catch((cause: unknown) => String(cause))
    await shot(page, `failed-${task.id}-${index}`).catch(() => undefined)
    for (const error of task.result.errors ?? []) {
      const more = `\n\nThe window showed:\n${shown}`
      error.message += more
      // What is said at the end of a run is taken from here.
      error.stack = `${error.stack ?? ''}${more}`
    }
  }
})
