import type { TransferRecord, UploadRecord } from '../../../electron/engine/core/records.ts'
import type { RunContext, RunOutcome, Runs, StopReason } from '../../../electron/engine/core/run.ts'

/** A run that does only what a test tells it to. */
export interface FakeRun {
  readonly context: RunContext<TransferRecord>
  end(outcome: RunOutcome): void
  /** Resolves with the reason when the run is told to stop. */
  readonly stopped: Promise<StopReason>
}

export interface FakeRuns extends Runs {
  /** The next run that starts, or has started and was not asked for yet. */
  next(): Promise<FakeRun>
  /** Keys of all runs so far, in the order of their start. */
  readonly startedKeys: readonly string[]
  /** Keys of downloads that were discarded. */
  readonly discarded: readonly string[]
  /** How an upload whose outcome was unknown ended. */
  settle: (context: RunContext<UploadRecord>) => Promise<RunOutcome>
  /** When true (the default) a run ends by itself when it is told to stop. */
  stopsByItself: boolean
}

export function createFakeRuns(): FakeRuns {
  const arrived: FakeRun[] = []
  const awaited: ((run: FakeRun) => void)[] = []
  const startedKeys: string[] = []
  const discarded: string[] = []

  function run(context: RunContext<TransferRecord>): Promise<RunOutcome> {
    startedKeys.push(context.record.key)
    return new Promise((end) => {
      const stopped = new Promise<StopReason>((resolve) => {
        context.signal.addEventListener('abort', () => {
          resolve(context.signal.reason as StopReason)
          if (runs.stopsByItself) end({ kind: 'stopped' })
        })
      })
      const fake = { context, end, stopped }
      const next = awaited.shift()
      if (next === undefined) arrived.push(fake)
      else next(fake)
    })
  }

  const runs: FakeRuns = {
    upload: run,
    download: run,
    folder: run,
    uploadFolder: run,
    resolveUpload: (context) => runs.settle(context),
    settle: () => Promise.resolve({ kind: 'stopped' }),
    discardDownload(record) {
      discarded.push(record.key)
      return Promise.resolve()
    },
    discardFolder(record) {
      discarded.push(record.key)
      return Promise.resolve()
    },
    discardUploadFolder(record) {
      discarded.push(record.key)
      return Promise.resolve()
    },
    next: () =>
      new Promise((resolve) => {
        const first = arrived.shift()
        if (first === undefined) awaited.push(resolve)
        else resolve(first)
      }),
    startedKeys,
    discarded,
    stopsByItself: true,
  }
  return runs
}
