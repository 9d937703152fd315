import type { RunReporter } from '../core/run.ts'

/** What is shown of one of many: its bytes and its waits. */
export function reporterOf(
  report: RunReporter,
  told: { path: string; sizeBytes: number; etag: string | null },
  finishing: RunReporter['finishing'],
): RunReporter {
  return {
    stage: () => undefined,
    size: (sizeBytes) => void (told.sizeBytes = sizeBytes),
    units: () => undefined,
    unit: () => undefined,
    moved: (bytes, overMs) => report.moved(bytes, overMs),
    confirmed: (bytes, how) => report.confirmed(bytes, how),
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
