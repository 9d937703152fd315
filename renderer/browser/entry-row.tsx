import { memo, type DragEvent } from 'react'
import { Archive, File, Folder } from 'lucide-react'
import { visibleText } from '../../shared/visible-text.ts'
import { formatBytes, formatExactBytes, formatMoment } from '../words/format.ts'
import { selectOnlyEntry, useIsEntrySelected } from '../state/browse-selection.ts'
import { browseStore, setDragging, useBrowse } from '../state/browse-store.ts'
import type { Entry } from '../state/listing.ts'
import { cx } from '../ui/cx.ts'
import { FileName } from '../ui/file-name.tsx'
import { useFocusedRow } from '../ui/hooks/use-focused-row.ts'
import styles from './entry-row.module.css'

/** What a drag of rows carries; files of the desktop come as `Files`. */
export const DRAGGED_ROWS = 'application/x-sluice-objects'

export interface EntryRowProps {
  readonly entry: Entry
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly isTabStop: boolean
}

/** One bucket, folder or object. */
export const EntryRow = memo(function EntryRow({ entry, index, top, isTabStop }: EntryRowProps) {
  const { kind, key, name, sizeBytes, modifiedMs } = entry
  const isSelected = useIsEntrySelected(key)
  const isTarget = useBrowse(({ dropKey }) => dropKey === key)
  const isFocused = useBrowse((state) => state.focusedKey === key)
  const element = useFocusedRow(isFocused, gridOf)
  const isObject = kind === 'object'
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={isObject ? name : `${name}, ${kind}`}
      tabIndex={isTabStop ? 0 : -1}
      data-key={key}
      {...(isObject ? {} : { 'data-drop': key })}
      draggable={kind !== 'bucket'}
      className={cx(styles['row'], isSelected && styles['selected'], isTarget && styles['target'])}
      style={{ transform: `translateY(${String(top)}px)` }}
      onDragStart={(event) => beginDrag(event, key)}
      onDragEnd={() => setDragging(false)}
    >
      <div role="gridcell" className={styles['name']} title={visibleText(key)}>
        <Glyph kind={kind} />
        <FileName name={name} />
      </div>
      <div role="gridcell" className={styles['number']} title={isObject ? formatExactBytes(sizeBytes) : undefined}>
        {isObject ? formatBytes(sizeBytes) : ''}
      </div>
      <div role="gridcell" className={styles['number']}>
        {modifiedMs === 0 ? '' : formatMoment(modifiedMs)}
      </div>
    </div>
  )
})

const GLYPHS = { bucket: Archive, folder: Folder, object: File }

function Glyph({ kind }: Pick<Entry, 'kind'>) {
  const Icon = GLYPHS[kind]
  return <Icon size={16} strokeWidth={1.75} aria-hidden className={cx(styles['glyph'], styles[kind])} />
}

function beginDrag({ dataTransfer }: DragEvent, key: string): void {
  if (!browseStore.getState().selection.has(key)) selectOnlyEntry(key)
  dataTransfer.setData(DRAGGED_ROWS, '')
  dataTransfer.effectAllowed = 'copy'
  // What appears within the event itself would end the drag.
  setTimeout(() => setDragging(true))
}

function gridOf(row: HTMLElement): Element | null {
  return row.closest('[role="grid"]')
}
