import { t } from '../../shared/language/translate.ts'
import { formatBytes } from '../words/format.ts'
import type { FolderSize } from './measure-folder.ts'

/** What the sheet says of the free space of the chosen folder. */
export interface SpaceNeeded {
  readonly text: string
  /** What is picked doesn't fit: its download would wait for room. */
  readonly isTooLittle: boolean
}

/** Compares what is picked with what is free; null while neither says anything. Pure. */
export function spaceNeeded(
  freeBytes: number | null,
  { sizeBytes }: Pick<FolderSize, 'sizeBytes'>,
): SpaceNeeded | null {
  if (freeBytes === null) return null
  const free = formatBytes(freeBytes)
  if (sizeBytes <= freeBytes) return { text: t('sheets.space.free', { free }), isTooLittle: false }
  return { text: t('sheets.space.too-little', { needed: formatBytes(sizeBytes), free }), isTooLittle: true }
}
