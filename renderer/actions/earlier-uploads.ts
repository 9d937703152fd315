// Uploads that found an unfinished one of their key: which wait for an answer, and giving it.

import { sentences } from '../../shared/language/sentences.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { liveRow, onStatusChanges, queueStore } from '../state/queue/queue-store.ts'
import { hasSheet, openDialog } from '../state/ui/open-dialogs.ts'
import { showToast } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'

/** Uploads that wait for an answer because an unfinished one of their key was found. */
export function awaitingAnswer(): readonly TransferId[] {
  return queueStore.getState().order.filter(isAwaiting)
}

function isAwaiting(id: TransferId): boolean {
  const row = liveRow(id)
  return row?.status === 'failed' && row.error?.code === 'earlier-upload'
}

/**
 * Continues an unfinished upload of the service with the file of a row, or with null begins a new one. Throws
 * RequestError.
 */
export async function decideUpload(id: TransferId, uploadId: string | null): Promise<void> {
  await request('uploads:decide', { id, uploadId })
}

/** Discards an unfinished upload of the key of a row, with what is there of it. Throws RequestError. */
export async function discardEarlier(
  { placeId, bucket, key }: Pick<TransferRow, 'placeId' | 'bucket' | 'key'>,
  uploadId: string,
): Promise<void> {
  if (placeId !== null) await request('uploads:discard', { placeId, bucket, key, uploadId })
}

/** True while one answer is given for many: then there is no question about each. */
let isAnswering = false

/**
 * Opens the sheet for the first of these rows that waits for an answer, unless another sheet is open. Told of rows that
 * were added or have just stopped: what was closed without an answer doesn't come back by itself.
 */
export function reviewStopped(ids: readonly TransferId[]): void {
  if (isAnswering || hasSheet(uiStore.getState())) return
  const stopped = ids.find(isAwaiting)
  if (stopped !== undefined) openDialog({ kind: 'earlier-upload', id: stopped })
}

/** Reviews rows that stop from now on. Returns a function that ends it. */
export function reviewStops(): () => void {
  return onStatusChanges((changes) => reviewStopped(changes.map(({ id }) => id)))
}

/**
 * Gives the answer for one upload to all others that wait for one, and those that come to wait meanwhile. An earlier
 * upload is finished only where all of its parts are proven to be of the file; others go on waiting. Throws
 * RequestError.
 */
export async function answerOthers(isFinishing: boolean, answered: TransferId): Promise<void> {
  const tried = new Set([answered])
  const next = (): TransferId | undefined => awaitingAnswer().find((id) => !tried.has(id))
  let going = 0
  isAnswering = true
  try {
    for (let id = next(); id !== undefined; id = next()) {
      tried.add(id)
      const uploadId = isFinishing ? await whollyProven(id) : null
      if (uploadId === undefined) continue
      await decideUpload(id, uploadId)
      going += 1
    }
  } finally {
    isAnswering = false
  }
  const left = tried.size - 1 - going
  const answer = isFinishing ? 'continue' : 'start-over'
  const said = (): string =>
    sentences([
      t('commands.earlier.going', { answer, count: going }),
      left === 0 ? '' : t('commands.earlier.unmatched', { count: left }),
    ])
  if (tried.size > 1) showToast(said)
}

/** The upload whose every part is proven to be of the row's file, and most of it; undefined: none is. */
async function whollyProven(id: TransferId): Promise<string | undefined> {
  // One that can't be compared now waits for a person to look at it.
  const offer = await request('uploads:compare', { id }).catch(() => null)
  const proven = offer?.candidates.find(({ partsProven, partsThere }) => partsProven > 0 && partsProven === partsThere)
  return proven?.uploadId
}
