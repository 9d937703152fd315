import { ArrowDownToLine, ArrowUpFromLine, FolderPlus, FolderUp, PackagePlus, RefreshCw, Trash2 } from 'lucide-react'
import { commandKeys } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import { askForFolder, canDoWith, downloadOpenFolder, openFolderOf, performOn } from '../actions/browse-actions.ts'
import { askForBucket, canCreateBucket } from '../actions/create-bucket.ts'
import { chooseAndUpload, chooseAndUploadFolder } from '../actions/upload-actions.ts'
import { ENTRY_KEYS } from '../commands/shortcuts.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import { refresh } from '../state/objects/object-list.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import type { Tool } from '../ui/overlays/tools.tsx'

/** The tools above the objects, ordered by how long they stay when space gets scarce. */
export function useTools(): readonly Tool[] {
  const selected = useSelectedEntries(browser)
  const isInBucket = useBrowse(({ location }) => location !== null && location.bucket !== '')
  const download = useDownloadTool()
  const newTool = useNewTool(isInBucket)
  return [
    {
      id: 'upload',
      label: t('browser.upload'),
      look: 'outline',
      Icon: ArrowUpFromLine,
      isDisabled: !isInBucket,
      keys: commandKeys('upload'),
      onPress: chooseAndUpload,
    },
    {
      id: 'upload-folder',
      label: t('browser.upload-folder'),
      look: 'outline',
      Icon: FolderUp,
      isIconOnly: true,
      isDisabled: !isInBucket,
      keys: commandKeys('upload-folder'),
      onPress: chooseAndUploadFolder,
    },
    download,
    newTool,
    {
      id: 'delete',
      label: t('browser.action.delete'),
      look: 'quiet',
      Icon: Trash2,
      isIconOnly: true,
      isDisabled: !canDoWith('delete', selected),
      keys: ENTRY_KEYS.delete ?? [],
      onPress: () => performOn('delete'),
    },
    {
      id: 'refresh',
      label: t('browser.refresh'),
      look: 'quiet',
      Icon: RefreshCw,
      isIconOnly: true,
      startsGroup: true,
      keys: commandKeys('refresh'),
      onPress: () => refresh(browser),
    },
  ]
}

/** Downloads what is selected, or else the open folder. */
function useDownloadTool(): Tool {
  const selected = useSelectedEntries(browser)
  const folderName = useBrowse((state) => openFolderOf(state)?.name ?? null)
  const isOfFolder = selected.length === 0 && folderName !== null
  const isDisabled = !isOfFolder && !canDoWith('download', selected)
  return {
    id: 'download',
    label: t('browser.action.download'),
    look: 'outline',
    Icon: ArrowDownToLine,
    isDisabled,
    hint: isOfFolder
      ? t('browser.download.open-folder', { name: folderName })
      : isDisabled
        ? t('browser.download.select')
        : null,
    onPress: isOfFolder ? downloadOpenFolder : () => performOn('download'),
  }
}

/** Makes what the list consists of: a folder, or a bucket where the buckets are listed. */
function useNewTool(isInBucket: boolean): Tool {
  const look = { look: 'quiet', isIconOnly: true, startsGroup: true } as const
  return useBrowse(canCreateBucket)
    ? { id: 'new-bucket', label: t('browser.new-bucket'), Icon: PackagePlus, ...look, onPress: askForBucket }
    : {
        id: 'new-folder',
        label: t('browser.new-folder'),
        Icon: FolderPlus,
        isDisabled: !isInBucket,
        ...look,
        onPress: askForFolder,
      }
}
