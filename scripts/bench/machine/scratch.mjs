import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../../lib/say.mjs'

/**
 * Makes a folder below the temp directory, and with `make` whatever else is needed in it and beside it. `close` removes
 * all of it, the last first. That also happens if something can't be made, or the process is told to end meanwhile;
 * `signal` then aborts whatever takes long.
 * @template Made
 * @param {string} prefix
 * @param {(scratch: any, ...given: any[]) => Promise<Made>} make
 * @param {any[]} given
 * @returns {Promise<Made & { folder: string, close: () => Promise<void> }>}
 */
export async function createScratch(prefix, make, ...given) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  // A child of a program that was killed may go on writing for a moment.
  const closers = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  let closing
  const close = () => (closing ??= closeAll(closers))
  const ending = new globalThis.AbortController()
  const end = () => ending.abort()
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    const scratch = { folder, signal: ending.signal, onClose: (closer) => closers.push(closer) }
    const made = await make(scratch, ...given)
    ending.signal.throwIfAborted()
    return { ...made, folder, close }
  } catch (error) {
    await close()
    if (ending.signal.aborted) process.exit(130)
    throw error
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

/** Runs all closers, even if one of them fails. */
async function closeAll(closers) {
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      say(`Not cleaned up: ${error.message}`)
    }
  }
}
