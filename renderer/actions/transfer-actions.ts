// Pause, resume, cancel, retry and the like, for one row or many.

import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import { pauseQuestion } from '../../shared/transfer/pause-question.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { appStore, placeById, restartApp, unlockKeyring } from '../state/app-store.ts'
import { liveRow, liveRows, queueStore } from '../state/queue/queue-store.ts'
import { canDo, type RowAction } from '../state/queue/row-actions.ts'
import { moveRows } from './move-rows.ts'
import { previewRow } from './preview-files.ts'
import { removeRows, startOverFailed } from './rows/remove-rows.ts'
import { sendAction } from './rows/send-action.ts'
import { openFiles, showInFolders } from './rows/show-files.ts'
import { offerLink, showInPlace } from './uploaded.ts'
import { ask, openDialog } from '../state/ui/open-dialogs.ts'
import { run, showNotice } from '../state/ui/messages.ts'

/**
 * Carries out an action that a person asked for. A refused request becomes a notice, so callers have nothing to await.
 */
export function perform(action: RowAction, ids: readonly TransferId[]): void {
  const [first] = ids
  if (first === undefined) return
  switch (action) {
    case 'relink':
      return openDialog({ kind: 'relink', id: first })
    case 'review':
      return openDialog({ kind: 'earlier-upload', id: first })
    case 'decide':
      return openDialog({ kind: 'decide', id: first })
    case 'certificate':
      return openDialog({ kind: 'certificate', subject: { kind: 'transfer', id: first } })
    case 'network':
      return openDialog({ kind: 'settings', tab: 'network' })
    case 'edit-place':
      return editPlaceOf(first)
    case 'choose-bucket':
      return chooseBucket(first)
    case 'unlock-keyring':
      return openKeyring()
    case 'limit':
      return openDialog({ kind: 'limit', ids })
    case 'reveal':
      return showInFolders(ids)
    case 'open':
      return openFiles(ids)
    case 'preview':
      return previewRow(first)
    case 'copy-link':
      return offerLink(first)
    case 'show-in-place':
      return showInPlace(first)
    case 'move':
      return moveRows(ids, 'top')
    case 'pause':
      return pauseOrAsk(ids, () => sendAction(action, ids))
    case 'start-over':
      return startOverFailed(ids)
    case 'remove':
      return removeRows(ids)
    default:
      return sendAction(action, ids)
  }
}

/** Asks first if the pause discards bytes. */
function pauseOrAsk(ids: readonly TransferId[], pause: () => void): void {
  const question = pauseQuestion(liveRows(ids))
  if (question === null) return pause()
  ask({
    title: question.title,
    body: question.consequence,
    safeLabel: t('common.cancel'),
    confirmLabel: commandLabel('pause'),
    onConfirm: pause,
  })
}

/** Retries the transfers that were held up by what was just changed; the others stay as they are. */
export function retryHeldUp(isHeldUp: (row: TransferRow) => boolean): void {
  const held = liveRows(queueStore.getState().order).filter(isHeldUp)
  perform(
    'retry',
    held.map((row) => row.id),
  )
}

/** Asks for another bucket for a transfer and all others that failed because of the same one. */
function chooseBucket(id: TransferId): void {
  const row = liveRow(id)
  if (row === undefined || row.placeId === null) return
  const { placeId, bucket } = row
  const alike = liveRows(queueStore.getState().order).filter(
    (each) => each.placeId === placeId && each.bucket === bucket && canDo('choose-bucket', each),
  )
  openDialog({ kind: 'choose-bucket', ids: alike.map((each) => each.id), name: rowName(row), placeId, bucket })
}

/** Opens the form of a transfer's place. Once it is saved, the transfers that it stopped go on. */
function editPlaceOf(id: TransferId): void {
  const place = placeById(appStore.getState(), liveRow(id)?.placeId ?? null)
  if (place === null) showNotice(() => t('transfer.error.place-removed'))
  else if (place.isDemo) showNotice(() => t('commands.places.demo'))
  else openDialog({ kind: 'add-place', place })
}

/**
 * Checks the keyring again, after which the transfers that it stopped go on, or else offers a restart, because the
 * system asks for a keyring's password when an app starts.
 */
export function openKeyring(onUnlocked?: () => void): void {
  async function unlock(): Promise<void> {
    if (await unlockKeyring()) return onUnlocked?.()
    ask({
      title: t('transfer.keyring.restart-title'),
      body: t('transfer.keyring.restart-body'),
      safeLabel: t('transfer.keyring.not-now'),
      confirmLabel: t('transfer.keyring.restart'),
      onConfirm: () => {
        run(restartApp())
      },
    })
  }
  run(unlock())
}

export function pauseAll(): void {
  pauseOrAsk(queueStore.getState().order, () => run(request('transfers:pause', { ids: 'all' })))
}

export function resumeAll(): void {
  run(request('transfers:resume', { ids: 'all' }))
}
