// From how a run ended to the event that moves its transfer's state.

import type { TransferRecord, UploadRecord } from '../core/records.ts'
import type { FolderOutcome } from '../core/run.ts'
import type { TransferEntry } from './transfer-entry.ts'
import type { SettledOutcome } from './transfer-state.ts'

/** What an outcome is to a transfer that was to be given up, and whose outcome at the service may be unknown. */
export function outcomeEventOf({ record, state, startsOver }: TransferEntry, outcome: FolderOutcome): SettledOutcome {
  const isGivenUp = state.afterStop === 'canceled' || startsOver
  if (!isGivenUp || outcome.kind === 'completed' || !isOutcomeUnknown(record)) {
    return startsOver && outcome.kind === 'failed' ? 'stopped' : outcome.kind
  }
  if (outcome.kind === 'stopped') return 'interrupted'
  // Nothing tells whether it is there: uploading it again does no harm, dropping it is for a person to do.
  return startsOver && outcome.error.code === 'outcome-unknown' ? 'stopped' : 'unresolved'
}

/** The service may have been asked to make the object, and its answer is not known. A finished upload keeps its intent. */
export function isOutcomeUnknown(record: TransferRecord): record is UploadRecord {
  return record.direction === 'upload' && record.intent !== null && record.status !== 'completed'
}
