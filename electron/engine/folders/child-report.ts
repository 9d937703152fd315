import type { RunReporter } from '../core/run.ts'
import type { Reach } from '../retry/reach.ts'

/**
 * What is shown of one of many: its bytes and its waits. Beginning a try of it, of which the folder is told by `reach` how
 * far it comes.
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
      // What comes after this was not there in earlier tries.
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
