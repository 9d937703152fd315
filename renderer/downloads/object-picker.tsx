import { useEffect } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { refusalWords } from '../../shared/transfer/words/error-words.ts'
import type { Place } from '../../shared/place/place.ts'
import { describeEntries } from '../objects/describe-entries.ts'
import { EntryGrid } from '../objects/entry-grid.tsx'
import { InPlaceOfRows } from '../objects/in-place-of-rows.tsx'
import type { FolderSize } from '../sheet-parts/measure-folder.ts'
import type { Entry, Listing } from '../state/objects/listing.ts'
import { stepsTo, topOf } from '../state/objects/location.ts'
import {
  openEntry,
  openLocation,
  setObjectSearch,
  stopReading,
  useObjectList,
  type ObjectList,
} from '../state/objects/object-list.ts'
import { pressEntry } from '../state/objects/selection.ts'
import { Breadcrumb } from '../ui/breadcrumb.tsx'
import { SearchField } from '../ui/fields/fields.tsx'
import { formatBytes } from '../words/format.ts'
import styles from './object-picker.module.css'

export interface ObjectPickerProps {
  readonly list: ObjectList
  /** The place, with one bucket. */
  readonly place: Place
  /** The sums of what is picked. */
  readonly size: FolderSize
  /** Whether the filter has focus at first. */
  readonly takesFocus: boolean
}

/** Lets a person pick objects and folders of a place, one folder at a time. */
export function ObjectPicker({ list, place, size, takesFocus }: ObjectPickerProps) {
  const { id, bucket, folder } = place
  const location = useObjectList(list, (state) => state.location)
  const listing = useObjectList(list, (state) => state.listing)

  useEffect(() => {
    openLocation(list, list.store.getState().location ?? topOf({ id, bucket, folder }))
    return () => stopReading(list)
  }, [list, id, bucket, folder])

  function open(entry: Entry): void {
    if (entry.kind === 'object') pressEntry(list, entry)
    else openEntry(list, entry)
  }

  return (
    <div className={styles['picker']}>
      <div className={styles['head']}>
        <Breadcrumb
          steps={location === null ? [] : stepsTo(location, place).map(({ label, location: at }) => ({ label, at }))}
          onOpen={(at) => openLocation(list, at)}
        />
        <div className={styles['search']}>
          <SearchField
            takesFocus={takesFocus}
            label={t('downloads.picker.filter')}
            value={listing.search}
            onChange={(words) => setObjectSearch(list, words)}
          />
        </div>
      </div>
      <div className={styles['list']}>
        <EntryGrid list={list} onOpen={open} />
        <InPlaceOfRows list={list} empty={t('downloads.picker.empty')} />
      </div>
      <p className={styles['note']}>{noteFor(listing, size)}</p>
    </div>
  )
}

function noteFor({ entries, state, error }: Listing, size: FolderSize): string {
  if (state === 'failed') return entries.length === 0 ? '' : refusalWords(error ?? '')
  const here = { entries: describeEntries(entries) }
  const seen = t(state === 'listing' ? 'downloads.picker.here-so-far' : 'downloads.picker.here', here)
  return joined(describePicked(size), entries.length === 0 ? '' : seen)
}

/** The sums of what is picked: "1,204 files selected, 3.20 GB"; empty when nothing is picked. */
function describePicked({ objects, sizeBytes, state }: FolderSize): string {
  if (objects === 0 && state === 'counted') return ''
  if (objects === 0 && state === 'counting') return t('downloads.picker.counting-first')
  return t(`downloads.picker.${state}`, { count: objects, size: formatBytes(sizeBytes) })
}
