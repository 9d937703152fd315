// Uploads that found an unfinished upload of their key: which ones wait for an answer, and answering.

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
 * Continues an unfinished upload with the file of a row, or begins a new one if `uploadId` is null. Throws
 * RequestError.
 */
export async function decideUpload(id: TransferId, uploadId: string | null): Promise<void> {
  await request('uploads:decide', { id, uploadId })
}

/** Discards an unfinished upload of a row's key, with everything it has sent. Throws RequestError. */
export async function discardEarlier(
  { placeId, bucket, key }: Pick<TransferRow, 'placeId' | 'bucket' | 'key'>,
  uploadId: string,
): Promise<void> {
  if (placeId !== null) await request('uploads:discard', { placeId, bucket, key, uploadId })
}

/** True while one answer is applied to many, so that there is no question about each. */
let isAnswering = false

/**
 * Opens the sheet for the first of these rows that waits for an answer, unless another sheet is open. `ids` are rows
 * that were just added or have just stopped, so a sheet that was closed without an answer doesn't come back by itself.
 */
export function reviewStopped(ids: readonly TransferId[]): void {
  if (isAnswering || hasSheet(uiStore.getState())) return
  const stopped = ids.find(isAwaiting)
  if (stopped !== undefined) openDialog({ kind: 'earlier-upload', id: stopped })
}

/** Reviews rows that stop from now on. Returns a function that ends this. */
export function reviewStops(): () => void {
  return onStatusChanges((changes) => reviewStopped(changes.map(({ id }) => id)))
}

/**
 * Applies the answer for one upload to all others that wait for one, including those that start to wait meanwhile. With
 * `isFinishing`, an earlier upload is continued only if all of its parts are proven to belong to the file; other rows
 * keep waiting. Throws RequestError.
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

/** The first upload all of whose parts are proven to belong to the row's file; undefined: there is none. */
async function whollyProven(id: TransferId): Promise<string | undefined> {
  // A row that can't be compared now keeps waiting for a person to look at it.
  const offer = await request('uploads:compare', { id }).catch(() => null)
  const proven = offer?.candidates.find(({ partsProven, partsThere }) => partsProven > 0 && partsProven === partsThere)
  return proven?.uploadId
}
