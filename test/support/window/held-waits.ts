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
