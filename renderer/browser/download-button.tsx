import { ArrowDownToLine } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import { canDoWith, downloadOpenFolder, openFolderOf, performOn } from '../actions/browse-actions.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import { Button } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** Downloads what is selected, or else the open folder. */
export function DownloadButton() {
  const selected = useSelectedEntries(browser)
  const folderName = useBrowse((state) => openFolderOf(state)?.name ?? null)
  const isOfFolder = selected.length === 0 && folderName !== null
  const isDisabled = !isOfFolder && !canDoWith('download', selected)
  const more = isOfFolder
    ? t('browser.download.open-folder', { name: folderName })
    : isDisabled
      ? t('browser.download.select')
      : null
  return (
    <Tooltip text={more}>
      <Button
        keepsFocus
        isDisabled={isDisabled}
        onPress={isOfFolder ? downloadOpenFolder : () => performOn('download')}
      >
        <ArrowDownToLine size={14} aria-hidden /> {t('browser.action.download')}
      </Button>
    </Tooltip>
  )
}
