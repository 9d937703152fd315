import { t } from '../../shared/language/translate.ts'
import { formatBytes } from '../words/format.ts'
import type { FolderSize } from './measure-folder.ts'

/** What the sheet says about the free space in the chosen folder. */
export interface SpaceNeeded {
  readonly text: string
  /** What is picked doesn't fit, so the download would wait for room. */
  readonly isTooLittle: boolean
}

/** Compares the size of what is picked with the free space; null if there is nothing to say. Pure. */
export function spaceNeeded(
  freeBytes: number | null,
  { sizeBytes }: Pick<FolderSize, 'sizeBytes'>,
): SpaceNeeded | null {
  if (freeBytes === null) return null
  const free = formatBytes(freeBytes)
  if (sizeBytes <= freeBytes) return { text: t('sheets.space.free', { free }), isTooLittle: false }
  return { text: t('sheets.space.too-little', { needed: formatBytes(sizeBytes), free }), isTooLittle: true }
}
