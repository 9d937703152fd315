import { memo, useId, type DragEvent } from 'react'
import { Archive, Check, File, Folder } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { formatBytes, formatExactBytes, formatMoment } from '../words/format.ts'
import type { Entry } from '../state/objects/listing.ts'
import { openEntry, useObjectList, type ObjectList } from '../state/objects/object-list.ts'
import { useSelected } from '../state/objects/selection.ts'
import { cx } from '../ui/cx.ts'
import { FileName } from '../ui/file-name.tsx'
import { useFocusedRow } from '../ui/hooks/use-focused-row.ts'
import styles from './entry-row.module.css'

/** Rows that can be dragged, and that files can be dropped on. */
export interface RowDrag {
  readonly onStart: (event: DragEvent, entry: Entry) => void
}

export interface EntryRowProps {
  readonly list: ObjectList
  readonly entry: Entry
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly isTabStop: boolean
  readonly drag: RowDrag | undefined
  /** Whether dragged files are over it. */
  readonly isTarget: boolean
}

/** One bucket, folder or object. */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { list, entry, index, top, isTabStop, drag, isTarget } = props
  const { kind, key, name, sizeBytes, modifiedMs } = entry
  const selected = useSelected(list, key)
  const isFocused = useObjectList(list, (state) => state.focusedKey === key)
  const element = useFocusedRow(isFocused, gridOf)
  const isObject = kind === 'object'
  const said = useId()
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected !== null}
      aria-disabled={selected === 'along' || undefined}
      aria-label={isObject ? name : t(`browser.row.${kind}`, { name })}
      {...(isObject && { 'aria-describedby': `${said}-size ${said}-modified` })}
      tabIndex={isTabStop ? 0 : -1}
      data-key={key}
      {...(isObject || drag === undefined ? {} : { 'data-drop': key })}
      draggable={kind !== 'bucket' && drag !== undefined}
      className={cx(styles['row'], selected !== null && styles['selected'], isTarget && styles['target'])}
      style={{ transform: `translateY(${String(top)}px)` }}
      onDragStart={(event) => drag?.onStart(event, entry)}
    >
      <div role="gridcell" className={styles['name']} title={visibleText(key)}>
        {list.isPicker && (
          <span className={styles['box']} aria-hidden>
            <Check size={12} strokeWidth={3} />
          </span>
        )}
        <Glyph kind={kind} />
        {list.isPicker && !isObject ? <FolderName list={list} entry={entry} /> : <FileName name={name} />}
      </div>
      <div
        id={`${said}-size`}
        role="gridcell"
        className={styles['number']}
        title={isObject ? formatExactBytes(sizeBytes) : undefined}
      >
        {isObject ? formatBytes(sizeBytes) : ''}
      </div>
      <div id={`${said}-modified`} role="gridcell" className={styles['number']}>
        {modifiedMs === 0 ? '' : formatMoment(modifiedMs)}
      </div>
    </div>
  )
})

const GLYPHS = { bucket: Archive, folder: Folder, object: File }

function Glyph({ kind }: Pick<Entry, 'kind'>) {
  const Icon = GLYPHS[kind]
  return <Icon size={16} strokeWidth={1.75} aria-hidden data-grip className={cx(styles['glyph'], styles[kind])} />
}

/** The name of a folder in a list where a press on a line picks it: a press on the name opens the folder. */
function FolderName({ list, entry }: { readonly list: ObjectList; readonly entry: Entry }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles['open']}
      onClick={(event) => {
        event.stopPropagation()
        openEntry(list, entry)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <FileName name={entry.name} />
    </button>
  )
}

function gridOf(row: HTMLElement): Element | null {
  return row.closest('[role="grid"]')
}
