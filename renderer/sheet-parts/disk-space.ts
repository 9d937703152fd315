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
  if (sizeBytes <= freeBytes) return { text: `${formatBytes(freeBytes)} free`, isTooLittle: false }
  const needed = `${formatBytes(sizeBytes)} needed, ${formatBytes(freeBytes)} free`
  return { text: `Not enough space: ${needed}. The download would wait for room.`, isTooLittle: true }
}
