import { t } from '../../shared/language/translate.ts'
import type { FolderSize } from '../sheet-parts/measure-folder.ts'

/** The label of the button that downloads what was picked. It names the number only when that is certain. Pure. */
export function downloadLabel({ objects, state }: Pick<FolderSize, 'objects' | 'state'>): string {
  return objects > 1 && state === 'counted'
    ? t('downloads.download-files', { count: objects })
    : t('downloads.download')
}
