import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { detailsStore } from '../state/details-store.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { detailsText } from '../words/details-text.ts'
import { copyText } from './report.ts'

/** Copies what is known about the transfers to the clipboard. */
export function copyDetails(ids: readonly TransferId[]): void {
  const { details } = detailsStore.getState()
  const rows = ids.map((id) => liveRow(id)).filter((row) => row !== undefined)
  if (rows.length === 0) return
  const texts = rows.map((row) =>
    detailsText(row, placeById(appStore.getState(), row.placeId), details?.id === row.id ? details : null),
  )
  copyText(texts.join('\n\n'), () => t('commands.details-copied', { count: rows.length }))
}
