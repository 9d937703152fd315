// Buckets and prefixes as locations in a place: their names, and the way up.

import type { Place, PlaceId } from '../../../shared/place/place.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { folderName, type Entry } from './listing.ts'

/** A folder in a bucket of a place. */
export interface BrowseLocation {
  readonly placeId: PlaceId
  /** Empty: the list of the place's buckets. */
  readonly bucket: string
  /** Empty, or ending in `/`. */
  readonly prefix: string
}

/** Where a place begins. Pure. */
export function topOf({ id, bucket, folder = '' }: Begin): BrowseLocation {
  return { placeId: id, bucket, prefix: folder }
}

interface Begin extends Pick<Place, 'id' | 'bucket'> {
  readonly folder?: string | undefined
}

function isTop({ bucket, prefix }: BrowseLocation, place: Place): boolean {
  const top = topOf(place)
  return bucket === top.bucket && prefix === top.prefix
}

/** The folder around a location; null at the top. Pure. */
export function locationAbove(location: BrowseLocation, place: Place): BrowseLocation | null {
  const { placeId, bucket, prefix } = location
  if (isTop(location, place)) return null
  if (prefix !== '') return { placeId, bucket, prefix: prefixAbove(prefix) }
  return bucket === place.bucket ? null : { placeId, bucket: '', prefix: '' }
}

/** The locations from the place down to the given one, each with its name. Pure. */
export function stepsTo(
  location: BrowseLocation,
  place: Place,
): readonly { readonly label: string; readonly location: BrowseLocation }[] {
  const steps: { label: string; location: BrowseLocation }[] = []
  for (let at: BrowseLocation | null = location; at !== null; at = locationAbove(at, place))
    steps.unshift({ label: labelOf(at, place), location: at })
  return steps
}

function labelOf(location: BrowseLocation, place: Place): string {
  const { bucket, prefix } = location
  if (isTop(location, place)) return visibleText(place.name)
  if (prefix !== '') return folderName(prefix, prefixAbove(prefix))
  return visibleText(bucket === place.bucket && place.folder === undefined ? place.name : bucket)
}

/** The prefix around the last folder's own name. Keys may begin with a slash, or contain several in a row. Pure. */
export function prefixAbove(prefix: string): string {
  return prefix.slice(0, prefix.slice(0, -1).lastIndexOf('/') + 1)
}

/** Whether a folder is one of the lines, or in one of them. Pure. */
export function isInsideOf(entries: readonly Entry[], to: string): boolean {
  return entries.some(({ kind, key }) => kind === 'folder' && to.startsWith(key))
}

/** Whether lines can be moved to a folder: not into themselves, and not where all of them are. Pure. */
export function canMoveTo(entries: readonly Entry[], to: string): boolean {
  return entries.some(({ key }) => prefixAbove(key) !== to) && !isInsideOf(entries, to)
}

/** "Studio / media/2026/", for sentences. Pure. */
export function locationName({ bucket, prefix }: BrowseLocation, place: Place): string {
  const { folder = '' } = place
  const isBelow = bucket === place.bucket && prefix.startsWith(folder)
  const start = bucket === place.bucket ? place.name : `${place.name} / ${bucket}`
  const rest = isBelow ? prefix.slice(folder.length) : prefix
  return visibleText(rest === '' ? start : `${start} / ${rest}`)
}
