import type { RunReporter } from '../core/run.ts'
import type { Reach } from '../retry/reach.ts'

/**
 * Begins a try of one file of a folder and makes its reporter, which shows only its bytes and waits. `reach` tells the
 * folder how far the try gets.
 */
export function reporterOf(
  report: RunReporter,
  told: { path: string; sizeBytes: number; etag: string | null },
  finishing: RunReporter['finishing'],
  reach: Reach,
): RunReporter {
  const reached = reach.begin()
  return {
    stage: () => undefined,
    size: (sizeBytes) => void (told.sizeBytes = sizeBytes),
    units: () => undefined,
    unit: () => undefined,
    moved(bytes, overMs) {
      report.moved(bytes, overMs)
      reached(bytes)
    },
    confirmed(bytes, how) {
      report.confirmed(bytes, how)
      // Earlier tries brought these bytes: only what follows them is progress.
      if (how === 'found') reached(bytes)
    },
    closing: () => undefined,
    waiting: (wait, who = told) => report.waiting(wait, who),
    finishing,
    dropped: (bytes) => report.dropped(bytes),
    log: (text, requestId) => report.log(text, requestId),
    facts({ localPath, etag }) {
      told.path = localPath ?? told.path
      told.etag = etag ?? told.etag
    },
  }
}
