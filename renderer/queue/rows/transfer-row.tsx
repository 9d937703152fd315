import { memo, useId } from 'react'
import {
  ArrowDownToLine,
  ArrowRight,
  ArrowUpFromLine,
  ChevronDown,
  ChevronRight,
  Files,
  FolderDown,
  FolderUp,
} from 'lucide-react'
import { assertNever } from '../../../shared/assert.ts'
import { t } from '../../../shared/language/translate.ts'
import type { Column } from '../../../shared/transfer/queue-view.ts'
import { rowName } from '../../../shared/transfer/row-name.ts'
import { isFinishedFile, type TransferId, type TransferRow as Row } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { canDo } from '../../state/queue/row-actions.ts'
import { useIsNameShared } from '../../state/queue/name-counts.ts'
import { toggleFolder, useIsFolderOpen } from '../../state/open-folders.ts'
import { useIsSelected, useTransferRow, useUi } from '../../state/selectors.ts'
import { cx } from '../../ui/cx.ts'
import { FileName } from '../../ui/file-name.tsx'
import { ErrorBoundary } from '../../ui/overlays/error-boundary.tsx'
import { useFocusedRow } from '../../ui/hooks/use-focused-row.ts'
import { formatAdded, formatBytes, formatMoment, formatRate, percentOf } from '../../words/format.ts'
import { describeTimeLeft, folderNameOf, isFolder, placeNameOf, shownBytes, wholeSize } from '../../words/row-words.ts'
import { BrokenRow } from './broken-row.tsx'
import { isMovingColumn, labeledTemplateOf, restTemplateOf, templateOf, useShownColumns } from './columns.ts'
import { ProgressBar } from './progress-bar.tsx'
import { hasLabel, RowButtons } from './row-buttons.tsx'
import { gridOf } from './row-element.ts'
import { StatusLine } from './status-line.tsx'
import styles from './transfer-row.module.css'

/** Two lines of text, only one, or the second in as many lines as its words need. */
export type RowLook = 'usual' | 'line' | 'tall'

export interface TransferRowProps {
  readonly id: TransferId
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly look: RowLook
  readonly isTabStop: boolean
  readonly onMenu: (id: TransferId, anchor: Element) => void
}

/** One transfer: direction, name, what it is doing, one button, and a menu with the rest. */
export const TransferRow = memo(function TransferRow(props: TransferRowProps) {
  const row = useTransferRow(props.id)
  if (row === undefined) return null
  return (
    <ErrorBoundary of={row} instead={<BrokenRow {...props} level={1} name={visibleText(row.name)} />}>
      <DrawnRow {...props} row={row} />
    </ErrorBoundary>
  )
})

function DrawnRow({ row, ...props }: TransferRowProps & { readonly row: Row }) {
  const { id, index, top, look, isTabStop, onMenu } = props
  const isSelected = useIsSelected(id)
  const isOpen = useIsFolderOpen(id)
  const columns = useShownColumns()
  const isFocused = useUi((state) => state.focusedId === id)
  const element = useFocusedRow<HTMLDivElement>(isFocused, gridOf)
  const said = useId()
  const percent = percentShown(row)
  const isLabeled = hasLabel(row)
  return (
    <div
      ref={element}
      role="row"
      aria-level={1}
      aria-rowindex={index + 2}
      {...(isFolder(row) ? { 'aria-expanded': isOpen } : {})}
      aria-selected={isSelected}
      aria-label={rowName(row)}
      aria-describedby={`${said}-way ${said}-status`}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      draggable={canDo('move', row) || isFinishedFile(row)}
      className={cx(
        styles['row'],
        styles[look],
        isSelected && styles['selected'],
        row.status === 'failed' && styles['failed'],
        (row.status === 'failed' || row.status === 'waiting') && styles['wraps'],
        (row.status === 'transferring' || row.status === 'paused') && styles['counts'],
        isLabeled && styles['labeled'],
      )}
      style={{
        transform: `translateY(${String(top)}px)`,
        gridTemplateColumns: templateFor(row, percent, columns),
      }}
    >
      <div role="gridcell" aria-colindex={1} className={styles['main']}>
        {isFolder(row) && <FolderToggle id={id} isOpen={isOpen} />}
        <DirectionGlyph row={row} id={`${said}-way`} />
        <div className={styles['lines']}>
          <div className={styles['name']} title={visibleText(row.localPath)}>
            <FileName name={rowName(row)} />
            <PlaceTag row={row} />
          </div>
          <StatusLine row={row} id={`${said}-status`} />
          {hasBar(row) && <ProgressBar row={row} />}
        </div>
      </div>
      <RowCells row={row} percent={percent} onMenu={onMenu} />
    </div>
  )
}

/** The grid template of a row. A row at rest has words in place of numbers, and may have a button with words. */
function templateFor(row: Row, percent: number | null, columns: readonly Column[]): string {
  if (hasLabel(row)) return labeledTemplateOf(columns)
  return percent === null ? restTemplateOf(columns) : templateOf(columns)
}

interface RowCellsProps extends Pick<TransferRowProps, 'onMenu'> {
  readonly row: Row
  readonly percent: number | null
}

/** The cells beside the name: columns and buttons. */
function RowCells({ row, percent, onMenu }: RowCellsProps) {
  const columns = useShownColumns()
  const hasNumbers = percent !== null && !hasLabel(row)
  const cells = hasNumbers ? columns : columns.filter((column) => !isMovingColumn(column))
  // If columns remain, the menu stays at the end, and the button goes before them in place of the numbers.
  const [firstCell] = cells
  const isApart = hasLabel(row) && firstCell !== undefined
  const before = firstCell === undefined ? 0 : columns.indexOf(firstCell)
  return (
    <>
      {isApart && (
        <div role="gridcell" {...(before > 0 && { 'aria-colindex': before + 1 })} className={styles['actions']}>
          <RowButtons row={row} part="primary" onMenu={onMenu} />
        </div>
      )}
      {cells.map((column) => (
        <div
          key={column}
          role="gridcell"
          aria-colindex={columns.indexOf(column) + 2}
          className={styles['number']}
          title={column === 'added' ? formatMoment(row.createdAtMs) : undefined}
        >
          <Value row={row} column={column} percent={percent ?? 0} />
        </div>
      ))}
      <div role="gridcell" aria-colindex={columns.length + 2} className={styles['actions']}>
        <RowButtons row={row} part={isApart ? 'menu' : 'both'} onMenu={onMenu} />
      </div>
    </>
  )
}

/** Opens and closes the row by pointer. With keys the row itself does that. */
function FolderToggle({ id, isOpen }: { readonly id: TransferId; readonly isOpen: boolean }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      tabIndex={-1}
      data-disclosure
      aria-label={t(isOpen ? 'queue.row.hide-files' : 'queue.row.show-files')}
      className={styles['disclosure']}
      onClick={() => toggleFolder(id)}
    >
      <Chevron size={14} aria-hidden />
    </button>
  )
}

function hasBar({ status, confirmedBytes }: Row): boolean {
  if (status === 'completed' || status === 'canceled') return false
  return status !== 'failed' || confirmedBytes > 0
}

/** The progress in percent; null if it says nothing, or the reason for waiting needs the space. */
function percentShown(row: Row): number | null {
  const { status, confirmedBytes } = row
  if (status === 'completed' || status === 'canceled' || status === 'waiting') return null
  const isMoved = confirmedBytes > 0 || (status !== 'queued' && status !== 'failed')
  return isMoved ? percentOf(shownBytes(row), wholeSize(row)) : null
}

/**
 * The place of a transfer, if there are several places, and its folder, if names alone don't tell transfers apart. The
 * folder of an upload is in the place; that of a download is on this computer, which must not read as one path.
 */
function PlaceTag({ row }: { readonly row: Row }) {
  const hasColumn = useShownColumns().includes('place')
  const place = useApp((state) => (state.places.length > 1 && !hasColumn ? placeById(state, row.placeId) : null))
  const isShared = useIsNameShared(row.name)
  const folder = isShared ? folderNameOf(row) : ''
  const from = place?.name ?? ''
  if (row.direction === 'upload' || folder === '') {
    const words = [from, folder].filter((part) => part !== '').join(' / ')
    return words === '' ? null : <bdi className={styles['place']}>{visibleText(words)}</bdi>
  }
  return (
    <>
      {from !== '' && <bdi className={styles['place']}>{visibleText(from)}</bdi>}
      <span className={styles['target']}>
        <ArrowRight size={12} role="img" aria-label={t('queue.row.saved-in')} />
        <bdi className={styles['place']}>{visibleText(folder)}</bdi>
      </span>
    </>
  )
}

/** The value of a row in a column. */
function Value({ row, column, percent }: { readonly row: Row; readonly column: Column; readonly percent: number }) {
  const place = useApp((state) => placeById(state, row.placeId))
  const isMoving = row.status === 'transferring'
  switch (column) {
    case 'progress':
      return `${String(percent)} %`
    case 'speed':
      return isMoving && row.bytesPerSecond > 0 ? formatRate(row.bytesPerSecond) : ''
    case 'left':
      return isMoving ? describeTimeLeft(row) : ''
    case 'place':
      return visibleText(placeNameOf(row, place))
    case 'size': {
      const sizeBytes = wholeSize(row)
      return sizeBytes === null ? '' : formatBytes(sizeBytes)
    }
    case 'added':
      return formatAdded(row.createdAtMs)
    default:
      return assertNever(column)
  }
}

function DirectionGlyph({ row, id }: { readonly row: Row; readonly id: string }) {
  const { Glyph, label } = kindOf(row)
  return (
    <Glyph
      size={16}
      id={id}
      role="img"
      data-grip
      aria-label={t(label, { direction: row.direction })}
      className={cx(styles['glyph'], row.status === 'transferring' && styles['moving'])}
    />
  )
}

function kindOf(row: Row) {
  const { direction } = row
  if (row.others !== undefined) return { Glyph: Files, label: 'queue.row.several' } as const
  return isFolder(row)
    ? ({ Glyph: FOLDER_GLYPHS[direction], label: 'queue.row.folder' } as const)
    : ({ Glyph: GLYPHS[direction], label: 'queue.row.file' } as const)
}

const GLYPHS = { upload: ArrowUpFromLine, download: ArrowDownToLine } as const
const FOLDER_GLYPHS = { upload: FolderUp, download: FolderDown } as const
