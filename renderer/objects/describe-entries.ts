import { t } from '../../shared/language/translate.ts'
import type { Entry } from '../state/objects/listing.ts'

/** "2 folders, 3 files". Folders come first, so not every line has to be counted. Pure. */
export function describeEntries(entries: readonly Entry[]): string {
  const firstObject = entries.findIndex(({ kind }) => kind === 'object')
  const folders = firstObject < 0 ? entries.length : firstObject
  if (entries[0]?.kind === 'bucket') return t('browser.entries.buckets', { count: folders })
  if (firstObject < 0) return t('browser.entries.folders', { count: folders })
  const files = entries.length - folders
  return folders === 0
    ? t('browser.entries.files', { count: files })
    : t('browser.entries.folders-and-files', { folders, files })
}
