import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { redact } from '../report/redact.ts'

const MAX_LOG_BYTES = 1_000_000
const MAX_ENTRY_LENGTH = 8_000

export interface LogFile {
  readonly path: string
  /** Writes one entry in the background; never throws. */
  readonly error: (what: string, error: unknown) => void
  /** Writes one sentence in the same way. */
  readonly note: (text: string) => void
  readonly flush: () => Promise<void>
}

/** Creates a log of starts, ends and errors at `path`, without secrets; at most 2 MB together with its predecessor. */
export function createLogFile(path: string, nowMs: () => number = Date.now): LogFile {
  let writing: Promise<void> = Promise.resolve()

  async function append(text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const size = await stat(path).then(
      (facts) => facts.size,
      () => 0,
    )
    if (size + text.length > MAX_LOG_BYTES) await rename(path, `${path}.1`)
    await appendFile(path, text, { mode: 0o600 })
  }

  function note(text: string): void {
    const entry = redact(text).slice(0, MAX_ENTRY_LENGTH)
    // Failing to write the log is no reason to stop anything.
    writing = writing.then(() => append(`${new Date(nowMs()).toISOString()} ${entry}\n`)).catch(() => undefined)
  }

  return {
    path,
    note,
    error: (what, error) => {
      note(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    },
    flush: () => writing,
  }
}
