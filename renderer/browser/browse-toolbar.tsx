import { ArrowUpFromLine, FolderPlus, FolderUp, PackagePlus, RefreshCw, Trash2 } from 'lucide-react'
import { Separator, Toolbar } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import { askForFolder, canDoWith, performOn } from '../actions/browse-actions.ts'
import { askForBucket, canCreateBucket } from '../actions/create-bucket.ts'
import { OBJECT_FILTER_ID } from '../actions/field-ids.ts'
import { chooseAndUpload, chooseAndUploadFolder } from '../actions/upload-actions.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import { endSearch, refresh, searchBelow, setObjectSearch } from '../state/objects/object-list.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import { Button } from '../ui/button.tsx'
import { SearchField } from '../ui/fields/fields.tsx'
import toolbar from '../ui/toolbar.module.css'
import { DownloadButton } from './download-button.tsx'

/** The line above the objects: add, act on the selection, filter. */
export function BrowseToolbar() {
  const selected = useSelectedEntries(browser)
  const search = useBrowse(({ listing }) => listing.search)
  const isSearch = useBrowse(({ sought }) => sought !== null)
  const isInBucket = useBrowse(({ location }) => location !== null && location.bucket !== '')
  return (
    <div className={toolbar['bar']}>
      <Toolbar aria-label={t('browser.actions')} className={toolbar['tools'] ?? ''}>
        <Button keepsFocus isDisabled={!isInBucket} onPress={chooseAndUpload}>
          <ArrowUpFromLine size={14} aria-hidden /> {t('browser.upload')}
        </Button>
        <Button label={t('browser.upload-folder')} keepsFocus isDisabled={!isInBucket} onPress={chooseAndUploadFolder}>
          <FolderUp size={14} aria-hidden />
        </Button>
        <DownloadButton />
        <Separator orientation="vertical" className={toolbar['line'] ?? ''} />
        <NewButton isInBucket={isInBucket} />
        <Button
          look="quiet"
          label={t('browser.action.delete')}
          keepsFocus
          isDisabled={!canDoWith('delete', selected)}
          onPress={() => performOn('delete')}
        >
          <Trash2 size={16} aria-hidden />
        </Button>
        <Separator orientation="vertical" className={toolbar['line'] ?? ''} />
        <Button look="quiet" label={t('browser.refresh')} onPress={() => refresh(browser)}>
          <RefreshCw size={16} aria-hidden />
        </Button>
      </Toolbar>
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

/** Makes what the list consists of: a folder, or a bucket where the buckets are listed. */
function NewButton({ isInBucket }: { readonly isInBucket: boolean }) {
  const isForBuckets = useBrowse(canCreateBucket)
  return isForBuckets ? (
    <Button look="quiet" label={t('browser.new-bucket')} keepsFocus onPress={askForBucket}>
      <PackagePlus size={16} aria-hidden />
    </Button>
  ) : (
    <Button look="quiet" label={t('browser.new-folder')} keepsFocus isDisabled={!isInBucket} onPress={askForFolder}>
      <FolderPlus size={16} aria-hidden />
    </Button>
  )
}
