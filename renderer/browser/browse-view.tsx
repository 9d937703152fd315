import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { Place } from '../../shared/place/place.ts'
import { describeEntries } from '../objects/describe-entries.ts'
import { EntryGrid } from '../objects/entry-grid.tsx'
import { InPlaceOfRows } from '../objects/in-place-of-rows.tsx'
import { UnlockKeyring } from '../sheet-parts/unlock-keyring.tsx'
import { placeById, useApp } from '../state/app-store.ts'
import { browser, useBrowse, useDrag } from '../state/browse-store.ts'
import type { Listing } from '../state/objects/listing.ts'
import { stepsTo, type BrowseLocation } from '../state/objects/location.ts'
import { openLocation, retryListing } from '../state/objects/object-list.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import { useUi } from '../state/selectors.ts'
import { openDialog } from '../state/ui-store.ts'
import { Breadcrumb } from '../ui/breadcrumb.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { formatBytes, formatCount } from '../words/format.ts'
import styles from './browse-view.module.css'
import { DownloadZone } from './download-zone.tsx'
import { actByKey, openOrDownload } from './browse-keys.ts'
import { EntryMenu, useEntryMenu } from './entry-menu.tsx'
import { ROW_DRAG } from './row-drag.ts'
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
            openLocation(browser, at)
          }}
        />
      </div>
      <SearchLine location={location} place={place} />
      {location.bucket !== '' && (
        <UnfinishedLine key={`${place.id} ${location.bucket}`} place={place} bucket={location.bucket} />
      )}
      <div className={styles['list']}>
        <Entries location={location} place={place} />
        <DownloadZone />
      </div>
      <Note />
    </section>
  )
}

/** The lines of the folder that is open. */
function Entries({ location, place }: { readonly location: BrowseLocation; readonly place: Place }) {
  const targetKey = useDrag((drag) => drag.dropKey)
  const { menu, closeMenu, openMenu } = useEntryMenu()
  return (
    <>
      <EntryGrid
        list={browser}
        onOpen={openOrDownload}
        onKey={actByKey}
        onMenu={openMenu}
        drag={ROW_DRAG}
        targetKey={targetKey}
      />
      {menu !== null && <EntryMenu menu={menu} onClose={closeMenu} />}
      <InPlaceOfRows
        list={browser}
        empty={location.bucket === '' ? `${place.name} has no buckets yet.` : <EmptyFolder />}
        remedy={location.bucket === '' && place.lacksSecret !== true && <BucketByName location={location} />}
        ways={
          <>
            {place.isLocked === true && <UnlockKeyring onUnlocked={() => retryListing(browser)} />}
            {!place.isDemo && <Button onPress={() => openDialog({ kind: 'add-place', place })}>Edit place…</Button>}
          </>
        }
      />
    </>
  )
}

function EmptyFolder() {
  return (
    <>
      <FolderOpen size={28} strokeWidth={1.5} aria-hidden />
      Empty folder · drop to upload here
    </>
  )
}

/** Keys that may not list buckets can name one. */
function BucketByName({ location }: { readonly location: BrowseLocation }) {
  const [bucket, setBucket] = useState('')
  const name = bucket.trim()
  return (
    <form
      className={styles['bucketForm']}
      onSubmit={(event) => {
        event.preventDefault()
        if (name !== '') openLocation(browser, { ...location, bucket: name })
      }}
    >
      <TextField label="Open a bucket by its name" value={bucket} onChange={setBucket} />
      <Button type="submit" isDisabled={name === ''}>
        Open
      </Button>
    </form>
  )
}

/** How much there is, and how much of it is selected. */
function Note() {
  const { entries, shown, state, isStale, search, error } = useBrowse(({ listing }) => listing)
  const selected = useSelectedEntries(browser)
  const isHinted = useUi(({ inspectorOpen }) => inspectorOpen)
  const sought = useBrowse((browse) => browse.sought)
  const isCutShort = state === 'failed' && entries.length > 0
  const parts = [
    describeEntries(entries),
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
          <Button look="quiet" onPress={() => retryListing(browser)}>
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

function describeSelected(selected: Listing['entries']): string {
  const objects = selected.filter(({ kind }) => kind === 'object')
  const size = formatBytes(objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return `${formatCount(selected.length)} selected${objects.length === 0 ? '' : `, ${size}`}`
}
