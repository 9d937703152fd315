import type { Place } from '../../shared/place/place.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import { locationName, type BrowseLocation } from '../state/objects/location.ts'
import { endSearch, searchBelow, stopSearch } from '../state/objects/object-list.ts'
import { Button } from '../ui/button.tsx'
import styles from './browse-view.module.css'

export interface SearchLineProps {
  readonly location: BrowseLocation
  readonly place: Place
}

/** What is looked for below the folder, or the offer to look for what the folder is filtered by. */
export function SearchLine({ location, place }: SearchLineProps) {
  const sought = useBrowse((state) => state.sought)
  const search = useBrowse(({ listing }) => listing.search)
  const isSearching = useBrowse(({ listing }) => listing.state === 'listing')
  if (location.bucket === '') return null
  if (sought === null) {
    return search === '' ? null : (
      <div className={styles['search']}>
        <span>Only this folder is filtered.</span>
        <Button onPress={() => searchBelow(browser, search)}>Search folders below</Button>
      </div>
    )
  }
  return (
    <div className={styles['search']}>
      <span role="status">
        {isSearching ? 'Searching for' : 'Results for'} “{sought}” in {locationName(location, place)} and below
      </span>
      {isSearching && <Button onPress={() => stopSearch(browser)}>Stop</Button>}
      <Button onPress={() => endSearch(browser)}>Close search</Button>
    </div>
  )
}
