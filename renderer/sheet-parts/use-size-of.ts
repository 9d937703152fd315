import { useMemo } from 'react'
import { t } from '../../shared/language/translate.ts'
import { keysOf } from '../actions/browse-actions.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { formatBytes } from '../words/format.ts'
import { NOT_COUNTED, sumSizes, type FolderSize } from './measure-folder.ts'
import { useFolderSizes } from './use-folder-sizes.ts'

/** The total size of lines; it grows while folders are being counted. */
export function useSizeOf(location: BrowseLocation | null, entries: readonly Entry[]): FolderSize {
  const folders = useMemo(() => new Set(keysOf(entries, 'folder')), [entries])
  const counted = useFolderSizes(location?.placeId ?? null, folders, location?.bucket)
  const objects = entries.filter(({ kind }) => kind === 'object')
  const sizeBytes = objects.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  const picked: FolderSize = { objects: objects.length, sizeBytes, state: 'counted' }
  return sumSizes([picked, ...[...folders].map((folder) => counted.get(folder) ?? NOT_COUNTED)])
}

/** "1,204 files, 3.20 GB", worded as certain as it is. Pure. */
export function describeSize({ objects, sizeBytes, state }: FolderSize): string {
  const sum = { count: objects, size: formatBytes(sizeBytes) }
  return state === 'counted' ? t('sheets.files', sum) : t(`sheets.files.${state}`, sum)
}

/** The name of one line, or how many there are. Pure. */
export function nameOf(entries: readonly Entry[]): string {
  const [first] = entries
  return entries.length === 1 && first !== undefined ? first.name : t('format.items', { count: entries.length })
}
