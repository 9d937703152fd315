import { setMaxListeners } from 'node:events'
import type { PartRecord, UploadRecord } from './checkpoint/checkpoint.ts'
import { createPatience, type Patience } from './retry.ts'
import type { RunContext } from './run.ts'
import type { SourceFile } from './source-file.ts'
import type { UploadPlan } from './plan.ts'

/** One run of an upload and what it knows by now. `save` makes changes durable first, then visible in `record`. */
export interface UploadRun {
  readonly context: RunContext<UploadRecord>
  readonly patience: Patience
  readonly record: UploadRecord
  /** Ends everything the run has under way, because of a failure of one part of it. */
  readonly stop: (failure: unknown) => void
  save(changes: Partial<Omit<UploadRecord, 'id' | 'direction'>>): Promise<void>
  /** Counts a durable part once, however often it is confirmed. */
  confirmPart(part: SizedPart, how: 'moved' | 'found', state: 'done' | 'found'): void
  /** Takes back the claim of a part that must be sent again. */
  dropPart(part: SizedPart): void
  /** The object is there: whatever was not counted yet counts now. */
  confirmAll(sizeBytes: number): void
}

type SizedPart = Pick<PartRecord, 'partNumber' | 'sizeBytes'>

/** A run whose file is bound and whose plan is frozen. */
export interface PlannedUpload {
  readonly run: UploadRun
  readonly source: SourceFile
  readonly plan: UploadPlan
}

/** Begins a run from what its record says. */
export function createUploadRun(outer: RunContext<UploadRecord>): UploadRun {
  const failed = new AbortController()
  const signal = AbortSignal.any([outer.signal, failed.signal])
  // Each connection listens several times over; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  const context = { ...outer, signal }
  const { report } = context
  const confirmed = new Map<number, number>()
  let record = context.record
  return {
    context,
    patience: createPatience(context),
    stop: (failure) => {
      failed.abort(failure)
    },
    get record() {
      return record
    },
    async save(changes) {
      await context.deps.checkpoints.update(record.id, changes)
      record = { ...record, ...changes }
    },
    confirmPart({ partNumber, sizeBytes }, how, state) {
      if (confirmed.has(partNumber)) return
      confirmed.set(partNumber, sizeBytes)
      report.confirmed(sizeBytes, how)
      report.unit(partNumber - 1, state)
    },
    dropPart({ partNumber, sizeBytes }) {
      if (!confirmed.delete(partNumber)) return
      report.confirmed(-sizeBytes, 'moved')
      report.unit(partNumber - 1, 'waiting')
    },
    confirmAll(sizeBytes) {
      const counted = [...confirmed.values()].reduce((sum, bytes) => sum + bytes, 0)
      report.size(sizeBytes)
      if (sizeBytes > counted) report.confirmed(sizeBytes - counted, 'found')
    },
  }
}
