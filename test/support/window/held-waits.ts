import type { Page } from 'playwright-core'
import { SPRING_MS, TOAST_TIME_MS } from '../../../shared/limits.ts'
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
  return holdTimers(page, TOAST_TIME_MS, true)
}

/**
 * Lets no folder open under what is held over it, however slow the machine is.
 *
 * @returns what lets those open that something is held over from then on.
 */
export async function holdSprings(page: Page): Promise<() => Promise<void>> {
  return holdTimers(page, SPRING_MS, false)
}

async function holdTimers(page: Page, delayMs: number, acts: boolean): Promise<() => Promise<void>> {
  const timers = { heldMs: delayMs, actsAtLast: acts }
  await page.evaluate(({ heldMs, actsAtLast }) => {
    const wait = window.setTimeout
    const held = new Set<() => void>()
    window.setTimeout = ((act: () => void, delayMs?: number) => {
      if (delayMs !== heldMs) return wait(act, delayMs)
      held.add(act)
      // No timer has this number.
      return 0
    }) as typeof window.setTimeout
    Object.assign(window, {
      endHeldTimers: () => {
        window.setTimeout = wait
        if (actsAtLast) for (const end of held) end()
      },
    })
  }, timers)
  return () => page.evaluate(() => (Reflect.get(window, 'endHeldTimers') as () => undefined)())
}
