import { t } from '../../shared/language/translate.ts'
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

/** The search below the folder, or the offer to search for the words that the folder is filtered by. */
export function SearchLine({ location, place }: SearchLineProps) {
  const sought = useBrowse((state) => state.sought)
  const search = useBrowse(({ listing }) => listing.search)
  const isSearching = useBrowse(({ listing }) => listing.state === 'listing')
  if (location.bucket === '') return null
  if (sought === null) {
    return search === '' ? null : (
      <div className={styles['search']}>
        <span>{t('browser.search.only-here')}</span>
        <Button onPress={() => searchBelow(browser, search)}>{t('browser.search.below')}</Button>
      </div>
    )
  }
  return (
    <div className={styles['search']}>
      <span role="status">
        {t(isSearching ? 'browser.search.running' : 'browser.search.results', {
          sought,
          location: locationName(location, place),
        })}
      </span>
      {isSearching && <Button onPress={() => stopSearch(browser)}>{t('browser.stop')}</Button>}
      <Button onPress={() => endSearch(browser)}>{t('browser.search.close')}</Button>
    </div>
  )
}
