import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { isDenial, refusalWords } from '../../shared/transfer/words/error-words.ts'
import { createsBuckets, type Place } from '../../shared/place/place.ts'
import { askForBucket } from '../actions/create-bucket.ts'
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
import { openDialog } from '../state/ui/open-dialogs.ts'
import { Breadcrumb } from '../ui/breadcrumb.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { formatBytes } from '../words/format.ts'
import { bucketProblem } from '../words/place-words.ts'
import styles from './browse-view.module.css'
import { DownloadZone } from './download-zone.tsx'
import { actByKey, openOrDownload } from './browse-keys.ts'
import { EntryMenu, useEntryMenu } from './entry-menu.tsx'
import { DROP_ON_FOLDER } from './drop-on-folder.ts'
import { ROW_DRAG } from './row-drag.ts'
import { SearchLine } from './search-line.tsx'
import { UnfinishedLine } from './unfinished-line.tsx'

/** The buckets, folders and objects of a place. */
export function BrowseView() {
  const location = useBrowse((state) => state.location)
  const place = useApp((state) => placeById(state, location?.placeId ?? null))
  if (location === null || place === null) return <p className={styles['gone']}>{t('browser.place-removed')}</p>
  return (
    <section aria-label={place.name} className={styles['view']} {...DROP_ON_FOLDER}>
      <div className={styles['head']}>
        <Path location={location} place={place} />
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

/** The path to the open folder. What can be dropped on folders can be dropped on its steps. */
function Path({ location, place }: { readonly location: BrowseLocation; readonly place: Place }) {
  const targetKey = useDrag((drag) => drag.dropKey)
  return (
    <Breadcrumb
      steps={stepsTo(location, place).map(({ label, location: at }) => ({
        ...{ label, at },
        // Not on the list of buckets.
        ...(at.bucket !== '' && { dropKey: at.prefix, isTarget: at.prefix === targetKey }),
      }))}
      onOpen={(at) => {
        openLocation(browser, at)
      }}
    />
  )
}

/** The lines of the open folder. */
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
        empty={location.bucket === '' ? <NoBuckets place={place} /> : <Empty isBucket={location.prefix === ''} />}
        remedy={
          location.bucket === '' ? place.lacksSecret !== true && <BucketByName location={location} /> : <Unlisted />
        }
        // The key has to be entered first.
        mayRetry={place.lacksSecret !== true || place.isLocked === true}
        ways={
          <>
            {place.isLocked === true && <UnlockKeyring onUnlocked={() => retryListing(browser)} />}
            {!place.isDemo && (
              <Button onPress={() => openDialog({ kind: 'add-place', place })}>{t('commands.name.edit-place')}</Button>
            )}
          </>
        }
      />
    </>
  )
}

function NoBuckets({ place }: { readonly place: Place }) {
  return (
    <>
      {t('browser.no-buckets', { place: place.name })}
      {createsBuckets(place) && <Button onPress={askForBucket}>{t('browser.new-bucket')}</Button>}
    </>
  )
}

function Empty({ isBucket }: { readonly isBucket: boolean }) {
  return (
    <>
      <FolderOpen size={28} strokeWidth={1.5} aria-hidden />
      {t(isBucket ? 'browser.empty-bucket' : 'browser.empty-folder')}
    </>
  )
}

/** Keys that may upload are not always allowed to list. */
function Unlisted() {
  const isDenied = useBrowse(({ listing }) => isDenial(listing.error ?? ''))
  return isDenied && <p>{t('browser.unlisted')}</p>
}

/** A field to name a bucket, for keys that may not list buckets. */
function BucketByName({ location }: { readonly location: BrowseLocation }) {
  const [bucket, setBucket] = useState('')
  const name = bucket.trim()
  const problem = bucketProblem(name)
  const isUsable = name !== '' && problem === null
  return (
    <form
      className={styles['bucketForm']}
      onSubmit={(event) => {
        event.preventDefault()
        if (isUsable) openLocation(browser, { ...location, bucket: name })
      }}
    >
      <TextField label={t('browser.bucket-by-name')} value={bucket} error={problem} onChange={setBucket} />
      <Button type="submit" isDisabled={!isUsable}>
        {t('browser.action.open')}
      </Button>
    </form>
  )
}

/** How much there is, and how much of it is selected. */
function Note() {
  const { entries, shown, state, old, search, error } = useBrowse(({ listing }) => listing)
  const selected = useSelectedEntries(browser)
  const isHinted = useUi(({ inspectorOpen }) => inspectorOpen)
  const sought = useBrowse((browse) => browse.sought)
  const isCutShort = state === 'failed' && entries.length > 0
  const parts = [
    describeEntries(entries),
    search === '' ? '' : t('browser.note.shown', { count: shown.length }),
    state === 'listing' ? t(sought === null ? 'browser.note.listing' : 'browser.note.searching') : '',
    selected.length === 0 ? '' : describeSelected(selected),
  ]
  return (
    <div className={styles['note']}>
      {isCutShort && (
        <span role="alert" className={styles['failure']}>
          {sought !== null
            ? refusalWords(error ?? '')
            : t(old !== null ? 'browser.note.stale' : 'browser.note.cut-short', { why: refusalWords(error ?? '') })}
          <Button look="quiet" onPress={() => retryListing(browser)}>
            {t(sought === null ? 'common.retry' : 'common.continue')}
          </Button>
        </span>
      )}
      <span>{entries.length === 0 ? '' : joined(...parts)}</span>
      {isHinted && entries.length > 0 && selected.length === 0 && (
        <span className={styles['hint']}>{t('browser.note.select')}</span>
      )}
    </div>
  )
}

function describeSelected(selected: Listing['entries']): string {
  const objects = selected.filter(({ kind }) => kind === 'object')
  const count = selected.length
  if (objects.length === 0) return t('browser.selected', { count })
  const size = formatBytes(objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return t('browser.selected-of-size', { count, size })
}
