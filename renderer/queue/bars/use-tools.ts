import { ArrowDownToLine, ArrowUpFromLine, FolderUp, Pause, Play, X, type LucideIcon } from 'lucide-react'
import { commandKeys, commandLabel } from '../../../shared/ipc/menu-commands.ts'
import { t } from '../../../shared/language/translate.ts'
import { pauseAll, perform, resumeAll } from '../../actions/transfer-actions.ts'
import { chooseAndUpload, chooseAndUploadFolder } from '../../actions/upload-actions.ts'
import { selectedFor, useSelectedCount, useTotals } from '../../state/selectors.ts'
import { openDialog } from '../../state/ui/open-dialogs.ts'
import type { Tool } from '../../ui/overlays/tools.tsx'
import { formatCount } from '../../words/format.ts'

/** The tools, ordered by how long they stay when space gets scarce. */
export function useTools(): readonly Tool[] {
  const { counts } = useTotals()
  const selection = [
    useSelectionTool('pause', commandLabel('pause'), Pause),
    useSelectionTool('resume', commandLabel('resume'), Play),
    useSelectionTool('remove', t('common.remove'), X),
  ]
  const [first, ...others] = selection
  return [
    {
      id: 'upload',
      label: t('queue.tools.upload'),
      look: 'outline',
      Icon: ArrowUpFromLine,
      keys: commandKeys('upload'),
      onPress: chooseAndUpload,
    },
    {
      id: 'upload-folder',
      label: commandLabel('upload-folder'),
      look: 'outline',
      Icon: FolderUp,
      isIconOnly: true,
      keys: commandKeys('upload-folder'),
      onPress: chooseAndUploadFolder,
    },
    {
      id: 'download',
      label: commandLabel('download'),
      look: 'outline',
      Icon: ArrowDownToLine,
      keys: commandKeys('download'),
      onPress: () => openDialog({ kind: 'download', text: null }),
    },
    ...(first === undefined ? [] : [{ ...first, startsGroup: true }]),
    ...others,
    {
      id: 'pause-all',
      label: commandLabel('pause-all'),
      look: 'quiet',
      Icon: Pause,
      isDisabled: counts.active + counts.waiting === 0,
      startsGroup: true,
      keys: commandKeys('pause-all'),
      onPress: pauseAll,
    },
    {
      id: 'resume-all',
      label: commandLabel('resume-all'),
      look: 'quiet',
      Icon: Play,
      isDisabled: counts.paused === 0,
      keys: commandKeys('resume-all'),
      onPress: resumeAll,
    },
  ]
}

function useSelectionTool(action: 'pause' | 'resume' | 'remove', label: string, Icon: LucideIcon): Tool {
  const count = useSelectedCount(action)
  return {
    id: action,
    label,
    detail: count > 1 ? formatCount(count) : '',
    look: 'quiet',
    Icon,
    isDisabled: count === 0,
    keys: commandKeys(action),
    onPress: () => {
      perform(action, selectedFor(action))
    },
  }
}
