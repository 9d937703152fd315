// The actions on a finished upload.

import { t } from '../../shared/language/translate.ts'
import type { Place } from '../../shared/place/place.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { request } from '../bridge.ts'
import { appStore, chooseCurrentPlace, placeById } from '../state/app-store.ts'
import { browser, openPlace } from '../state/browse-store.ts'
import { openLocation } from '../state/objects/object-list.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { showNotice, showToast } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'

/** Opens the sheet that copies a link to the uploaded object. */
export function offerLink(id: TransferId): void {
  const [row, location] = whereIs(id)
  if (row === undefined || location === null) return
  const { key, sizeBytes, finishedAtMs } = row
  const name = visibleText(key.slice(location.prefix.length))
  const entry = {
    kind: 'object',
    key,
    name,
    sizeBytes: sizeBytes ?? 0,
    modifiedMs: finishedAtMs ?? 0,
    etag: '',
  } as const
  openDialog({ kind: 'link', location, entry })
}

/** An object older than the transfer by more than this was there before, milliseconds. */
const CLOCKS_DIFFER_MS = 5000

/**
 * The same for one file of a folder upload, if it got its own name there. If that was taken, the file got a numbered
 * name, which is not recorded, and a link to the object with the original name would lead to another file.
 */
export async function offerFileLink(row: TransferRow, key: string, sizeBytes: number): Promise<void> {
  const place = placeById(appStore.getState(), row.placeId)
  if (place === null) return showNotice(() => t('transfer.error.place-removed'))
  const name = visibleText(key.slice(key.lastIndexOf('/') + 1))
  const location = { placeId: place.id, bucket: row.bucket, prefix: key.slice(0, key.lastIndexOf('/') + 1) }
  const found = await request('objects:facts', { placeId: place.id, bucket: row.bucket, key })
  const modifiedMs = Date.parse(found.lastModified ?? '')
  if (found.sizeBytes === sizeBytes && modifiedMs >= row.createdAtMs - CLOCKS_DIFFER_MS) {
    openDialog({ kind: 'link', location, entry: { kind: 'object', key, name, sizeBytes, modifiedMs, etag: '' } })
  } else {
    const action = { label: () => t('commands.name.show-in-place'), onPress: () => showKeyInPlace(row, key) }
    showToast(() => t('commands.link.other-file', { name }), [action])
  }
}

/** Opens the folder in the place that an object was uploaded to, with focus on the object. */
export function showInPlace(id: TransferId): void {
  const [row, location] = whereIs(id)
  if (row === undefined || location === null) return
  chooseCurrentPlace(location.placeId)
  uiStore.setState({ view: 'browse' })
  openLocation(browser, location, row.key)
}

/** The same for one file of a folder upload. */
export function showKeyInPlace({ placeId, bucket }: TransferRow, key: string): void {
  const place = placeById(appStore.getState(), placeId)
  if (place === null) return showNotice(() => t('transfer.error.place-removed'))
  chooseCurrentPlace(place.id)
  uiStore.setState({ view: 'browse' })
  openLocation(browser, { placeId: place.id, bucket, prefix: key.slice(0, key.lastIndexOf('/') + 1) }, key)
}

/** Lists the unfinished uploads in the bucket of a transfer. */
export function showUnfinished({ placeId, bucket }: TransferRow): void {
  const place = placeById(appStore.getState(), placeId)
  if (place === null) showNotice(() => t('transfer.error.place-removed'))
  else openUnfinished(place, bucket)
}

/** Lists the unfinished uploads in a bucket. Without a bucket, shows the buckets, so that one can be opened first. */
export function openUnfinished(place: Place, bucket: string): void {
  if (bucket === '') openPlace(place)
  else openDialog({ kind: 'unfinished', place, bucket })
}

/** Finds a transfer's row and location. Shows a notice if the place is gone. */
function whereIs(id: TransferId): readonly [TransferRow | undefined, BrowseLocation | null] {
  const row = liveRow(id)
  const place = placeById(appStore.getState(), row?.placeId ?? null)
  if (row === undefined) return [undefined, null]
  if (place === null) {
    showNotice(() => t('transfer.error.place-removed'))
    return [row, null]
  }
  // A folder's key is a prefix; the uploaded objects are below it.
  const end = row.items == null ? row.key.lastIndexOf('/') + 1 : row.key.length
  return [row, { placeId: place.id, bucket: row.bucket, prefix: row.key.slice(0, end) }]
}
