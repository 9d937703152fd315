// Turns how a run ended into the event that moves its transfer's state.

import type { TransferRecord, UploadRecord } from '../core/records.ts'
import type { FolderOutcome } from '../core/run.ts'
import type { TransferEntry } from './transfer-entry.ts'
import { givenUpOf, type SettledOutcome } from './transfer-state.ts'

/** How a run settles. Its transfer may be one to give up although its outcome at the service is unknown. */
export function outcomeEventOf({ record, state }: TransferEntry, outcome: FolderOutcome): SettledOutcome {
  const givenUp = givenUpOf(state)
  const startsOver = givenUp === 'start-over'
  if (givenUp === null || outcome.kind === 'completed' || !isOutcomeUnknown(record)) {
    return startsOver && outcome.kind === 'failed' ? 'stopped' : outcome.kind
  }
  if (outcome.kind === 'stopped') return 'interrupted'
  // Nothing tells whether the object is there. Uploading it again does no harm; dropping it is for a person to decide.
  return startsOver && outcome.error.code === 'outcome-unknown' ? 'stopped' : 'unresolved'
}

/** Whether the service may have been asked for the object, with no known answer. Finished uploads keep their intent. */
export function isOutcomeUnknown(record: TransferRecord): record is UploadRecord {
  return record.direction === 'upload' && record.intent !== null && record.status !== 'completed'
}
