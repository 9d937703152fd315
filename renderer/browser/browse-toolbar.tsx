import { t } from '../../shared/language/translate.ts'
import { OBJECT_FILTER_ID } from '../actions/field-ids.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import { endSearch, searchBelow, setObjectSearch } from '../state/objects/object-list.ts'
import { SearchField } from '../ui/fields/fields.tsx'
import { Tools } from '../ui/overlays/tools.tsx'
import toolbar from '../ui/toolbar.module.css'
import { useTools } from './use-tools.ts'

/** The line above the objects: add, act on the selection, filter. */
export function BrowseToolbar() {
  const search = useBrowse(({ listing }) => listing.search)
  const isSearch = useBrowse(({ sought }) => sought !== null)
  const tools = useTools()
  return (
    <div className={toolbar['bar']}>
      <Tools label={t('browser.actions')} tools={tools} />
      <div className={toolbar['search']}>
        <SearchField
          id={OBJECT_FILTER_ID}
          label={t('browser.filter')}
          value={search}
          onChange={(words) => setObjectSearch(browser, words)}
          onSubmit={(words) => searchBelow(browser, words)}
          onLeave={() => isSearch && endSearch(browser)}
        />
      </div>
    </div>
  )
}
