import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { Place } from '../../shared/place/place.ts'
import { UnlockKeyring } from '../sheet-parts/unlock-keyring.tsx'
import { placeById, useApp } from '../state/app-store.ts'
import { useSelectedEntries } from '../state/browse-selection.ts'
import { openLocation, retryListing, setObjectSearch, useBrowse } from '../state/browse-store.ts'
import type { Listing } from '../state/listing.ts'
import { stepsTo, type BrowseLocation } from '../state/location.ts'
import { useUi } from '../state/selectors.ts'
import { openDialog } from '../state/ui-store.ts'
import { Breadcrumb } from '../ui/breadcrumb.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { formatBytes, formatCount, plural } from '../words/format.ts'
import styles from './browse-view.module.css'
import { DownloadZone } from './download-zone.tsx'
import { EntryGrid } from './entry-grid.tsx'
import { SearchLine } from './search-line.tsx'
import { UnfinishedLine } from './unfinished-line.tsx'

/** The buckets, folders and objects of a place. */
export function BrowseView() {
  const location = useBrowse((state) => state.location)
  const place = useApp((state) => placeById(state, location?.placeId ?? null))
  if (location === null || place === null) return <p className={styles['gone']}>This place was removed.</p>
  return (
    <section aria-label={place.name} className={styles['view']}>
      <div className={styles['head']}>
        <Breadcrumb
          steps={stepsTo(location, place).map(({ label, location: at }) => ({ label, at }))}
          onOpen={(at) => {
            openLocation(at)
          }}
        />
      </div>
      <SearchLine location={location} place={place} />
      {location.bucket !== '' && (
        <UnfinishedLine key={`${place.id} ${location.bucket}`} place={place} bucket={location.bucket} />
      )}
      <div className={styles['list']}>
        <EntryGrid />
        <InPlaceOfRows location={location} place={place} />
        <DownloadZone />
      </div>
      <Note />
    </section>
  )
}

/** What stands where there are no rows. */
function InPlaceOfRows({ location, place }: { readonly location: BrowseLocation; readonly place: Place }) {
  const { shown, search, state, error } = useBrowse(({ listing }) => listing)
  const sought = useBrowse((browse) => browse.sought)
  if (shown.length > 0) return null
  if (state === 'failed') return <Failure error={error ?? ''} location={location} place={place} />
  if (search !== '') return <NoMatch search={search} />
  if (state === 'listing') return <p className={styles['empty']}>{sought === null ? 'Listing…' : 'Searching…'}</p>
  if (sought !== null) return <p className={styles['empty']}>No file here or below matches “{sought}”</p>
  if (location.bucket === '') return <p className={styles['empty']}>{place.name} has no buckets yet.</p>
  return (
    <div className={styles['empty']}>
      <FolderOpen size={28} strokeWidth={1.5} aria-hidden />
      Empty folder · drop to upload here
    </div>
  )
}

function NoMatch({ search }: Pick<Listing, 'search'>) {
  return (
    <p className={styles['empty']}>
      Nothing here matches “{search}”
      <Button look="quiet" onPress={() => setObjectSearch('')}>
        Clear
      </Button>
    </p>
  )
}

/** Keys that may not list buckets can name one. */
function Failure({
  error,
  location,
  place,
}: {
  readonly error: string
  readonly location: BrowseLocation
  readonly place: Place
}) {
  const [bucket, setBucket] = useState('')
  const name = bucket.trim()
  return (
    <div className={styles['empty']}>
      <p role="alert" className={styles['failure']}>
        {error}
      </p>
      {location.bucket === '' && place.lacksSecret !== true && (
        <form
          className={styles['bucketForm']}
          onSubmit={(event) => {
            event.preventDefault()
            if (name !== '') openLocation({ ...location, bucket: name })
          }}
        >
          <TextField label="Open a bucket by its name" value={bucket} onChange={setBucket} />
          <Button type="submit" isDisabled={name === ''}>
            Open
          </Button>
        </form>
      )}
      <div className={styles['ways']}>
        <Button onPress={retryListing}>Retry</Button>
        {place.isLocked === true && <UnlockKeyring onUnlocked={retryListing} />}
        {!place.isDemo && <Button onPress={() => openDialog({ kind: 'add-place', place })}>Edit place…</Button>}
      </div>
    </div>
  )
}

/** How much there is, and how much of it is selected. */
function Note() {
  const { entries, shown, state, isStale, search, error } = useBrowse(({ listing }) => listing)
  const selected = useSelectedEntries()
  const isHinted = useUi(({ inspectorOpen }) => inspectorOpen)
  const sought = useBrowse((browse) => browse.sought)
  const isCutShort = state === 'failed' && entries.length > 0
  const parts = [
    describe(entries),
    search === '' ? '' : `${formatCount(shown.length)} shown`,
    state === 'listing' ? (sought === null ? 'still listing…' : 'still searching…') : '',
    selected.length === 0 ? '' : describeSelected(selected),
  ]
  return (
    <div className={styles['note']}>
      {isCutShort && (
        <span role="alert" className={styles['failure']}>
          {sought !== null
            ? (error ?? '')
            : isStale
              ? `${error ?? ''} Showing the last known list.`
              : `Only part of the list could be read: ${error ?? ''}`}
          <Button look="quiet" onPress={retryListing}>
            {sought === null ? 'Retry' : 'Continue'}
          </Button>
        </span>
      )}
      <span>{entries.length === 0 ? '' : parts.filter((part) => part !== '').join(' · ')}</span>
      {isHinted && entries.length > 0 && selected.length === 0 && (
        <span className={styles['hint']}>Select a file to see its properties and a preview.</span>
      )}
    </div>
  )
}

/** Folders come first, so not all lines have to be counted. */
function describe(entries: Listing['entries']): string {
  const firstObject = entries.findIndex(({ kind }) => kind === 'object')
  const folders = firstObject < 0 ? entries.length : firstObject
  if (entries[0]?.kind === 'bucket') return plural(folders, 'bucket')
  if (firstObject < 0) return plural(folders, 'folder')
  const files = plural(entries.length - folders, 'file')
  return folders === 0 ? files : `${plural(folders, 'folder')}, ${files}`
}

function describeSelected(selected: Listing['entries']): string {
  const objects = selected.filter(({ kind }) => kind === 'object')
  const size = formatBytes(objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return `${formatCount(selected.length)} selected${objects.length === 0 ? '' : `, ${size}`}`
}
