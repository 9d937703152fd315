import type { Page } from 'playwright-core'
import { TOAST_TIME_MS } from '../../../shared/limits.ts'
import type { LaunchedSluice } from './electron-app.ts'

/**
 * Holds every wait of main for just this long (ms) from now on: what is to be seen meanwhile stays, however slow the
 * machine is.
 *
 * @returns what ends those that are held then.
 */
export async function holdWaits({ app }: Pick<LaunchedSluice, 'app'>, delayMs: number): Promise<() => Promise<void>> {
  await app.evaluate((_electron, heldMs) => {
    const timers = process.getBuiltinModule('node:timers/promises')
    const { syncBuiltinESMExports } = process.getBuiltinModule('node:module')
    const wait = timers.setTimeout
    const held = new Set<() => void>()
    timers.setTimeout = ((ms: number, value: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
      ms === heldMs
        ? new Promise((resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
            held.add(() => resolve(value as never))
          })
        : wait(ms, value, { signal })) as typeof wait
    // What was imported by its name is the new one, too.
    syncBuiltinESMExports()
    Object.assign(globalThis, {
      endHeldWaits: () => {
        for (const end of held) end()
      },
    })
  }, delayMs)
  return () => app.evaluate(() => (Reflect.get(globalThis, 'endHeldWaits') as () => undefined)())
}

/**
 * Lets no short message of the window go by itself from now on. At most three are shown at a time.
 *
 * @returns what lets those go that came meanwhile, and later ones in their time.
 */
export async function holdToasts(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((heldMs) => {
    const wait = window.setTimeout
    const held = new Set<() => void>()
    window.setTimeout = ((act: () => void, delayMs?: number) => {
      if (delayMs !== heldMs) return wait(act, delayMs)
      held.add(act)
      // No timer has this number.
      return 0
    }) as typeof window.setTimeout
    Object.assign(window, {
      endHeldToasts: () => {
        window.setTimeout = wait
        for (const end of held) end()
      },
    })
  }, TOAST_TIME_MS)
  return () => page.evaluate(() => (Reflect.get(window, 'endHeldToasts') as () => undefined)())
}
