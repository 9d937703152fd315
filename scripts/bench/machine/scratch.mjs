import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../../lib/say.mjs'

/**
 * A folder below the temp directory, and what `make` makes in it and beside it of what is given. `close` is rid of all
 * of it, the last first; so is this by itself where something can't be made, or the process is told to end meanwhile:
 * `signal` says so to what takes long.
 * @template Made
 * @param {string} prefix
 * @param {(scratch: any, ...given: any[]) => Promise<Made>} make
 * @param {any[]} given
 * @returns {Promise<Made & { folder: string, close: () => Promise<void> }>}
 */
export async function createScratch(prefix, make, ...given) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  // A program that was ended may have one of its own that writes a moment longer.
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

/** What one of them leaves behind is no reason to leave more. */
async function closeAll(closers) {
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      say(`Not cleaned up: ${error.message}`)
    }
  }
}
