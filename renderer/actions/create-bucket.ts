// New buckets in the list of a place's buckets.

import { t } from '../../shared/language/translate.ts'
import { createsBuckets, type Place, type PlaceId } from '../../shared/place/place.ts'
import { request } from '../bridge.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { browser } from '../state/browse-store.ts'
import { bucketEntry } from '../state/objects/listing.ts'
import { applyToListing, openLocation, refresh, type ObjectListState } from '../state/objects/object-list.ts'
import { selectOnlyEntry } from '../state/objects/selection.ts'
import { showToast } from '../state/ui/messages.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'

/** Whether a new bucket would be among those that are shown. */
export function canCreateBucket({ location }: Pick<ObjectListState, 'location'>): boolean {
  return location?.bucket === '' && placeOf(location.placeId) !== null
}

/** Opens the sheet that names a bucket. */
export function askForBucket(): void {
  const { location } = browser.store.getState()
  const place = location?.bucket === '' ? placeOf(location.placeId) : null
  if (place !== null) openDialog({ kind: 'new-bucket', place })
}

function placeOf(id: PlaceId): Place | null {
  const place = placeById(appStore.getState(), id)
  return place !== null && createsBuckets(place) ? place : null
}

/** Creates a bucket, and shows it. Throws RequestError. */
export async function createBucket(placeId: PlaceId, name: string): Promise<void> {
  try {
    await request('buckets:create', { placeId, bucket: name })
  } catch (failure) {
    // Of what became of an earlier try the list may know more.
    if (isShown(placeId)) refresh(browser)
    throw failure
  }
  showToast(() => t('browser.new-bucket.created', { name }))
  if (!isShown(placeId)) return
  // A key that may not list buckets sees the new one only from inside.
  if (browser.store.getState().listing.state === 'failed') {
    return openLocation(browser, { placeId, bucket: name, prefix: '' })
  }
  const entry = bucketEntry({ name, createdAt: new Date().toISOString() })
  applyToListing(browser, { kind: 'landed', entries: [entry] })
  selectOnlyEntry(browser, entry)
}

function isShown(placeId: PlaceId): boolean {
  const { location } = browser.store.getState()
  return location?.placeId === placeId && location.bucket === ''
}
