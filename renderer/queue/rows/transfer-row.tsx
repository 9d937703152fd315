import { memo } from 'react'
import { ArrowDownToLine, ArrowUpFromLine, ChevronDown, ChevronRight, FolderDown, FolderUp } from 'lucide-react'
import type { TransferId, TransferRow as Row } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { canDo, isFinishedFile } from '../../state/row-actions.ts'
import { useIsNameShared } from '../../state/name-counts.ts'
import { toggleFolder, useIsFolderOpen } from '../../state/open-folders.ts'
import { useIsSelected, useTransferRow, useUi } from '../../state/selectors.ts'
import { cx } from '../../ui/cx.ts'
import { FileName } from '../../ui/file-name.tsx'
import { useFocusedRow } from '../../ui/hooks/use-focused-row.ts'
import { formatRate, percentOf } from '../../words/format.ts'
import { describeTimeLeft, folderNameOf, isFolder, wholeSize } from '../../words/row-words.ts'
import { ProgressBar } from './progress-bar.tsx'
import { hasLabel, RowButtons } from './row-buttons.tsx'
import { StatusLine } from './status-line.tsx'
import styles from './transfer-row.module.css'

export interface TransferRowProps {
  readonly id: TransferId
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  /** It is one line of text high. */
  readonly isLine: boolean
  readonly isTabStop: boolean
  readonly onMenu: (id: TransferId, anchor: Element) => void
}

/** One transfer: direction, name, what it is doing, one button, and a menu with the rest. */
export const TransferRow = memo(function TransferRow(props: TransferRowProps) {
  const { id, index, top, isLine, isTabStop, onMenu } = props
  const row = useTransferRow(id)
  const isSelected = useIsSelected(id)
  const isOpen = useIsFolderOpen(id)
  const isFocused = useUi((state) => state.focusedId === id)
  const element = useFocusedRow<HTMLDivElement>(isFocused, gridOf)
  if (row === undefined) return null
  const percent = percentShown(row)
  return (
    <div
      ref={element}
      role="row"
      aria-level={1}
      aria-rowindex={index + 2}
      {...(isFolder(row) ? { 'aria-expanded': isOpen } : {})}
      aria-selected={isSelected}
      aria-label={visibleText(row.name)}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      draggable={canDo('move', row) || isFinishedFile(row)}
      className={cx(
        styles['row'],
        isLine && styles['line'],
        isSelected && styles['selected'],
        row.status === 'failed' && styles['failed'],
        (row.status === 'failed' || row.status === 'waiting') && styles['wraps'],
        hasLabel(row) ? styles['labelled'] : percent === null && styles['plain'],
      )}
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      <div role="gridcell" aria-colindex={1} className={styles['main']}>
        {isFolder(row) && <FolderToggle id={id} isOpen={isOpen} />}
        <DirectionGlyph row={row} />
        <div className={styles['lines']}>
          <div className={styles['name']} title={visibleText(row.localPath)}>
            <FileName name={visibleText(row.name)} />
            <PlaceTag row={row} />
          </div>
          <StatusLine row={row} />
          {hasBar(row) && !isLine && <ProgressBar row={row} />}
        </div>
      </div>
      {percent !== null && !hasLabel(row) && <Numbers row={row} percent={percent} />}
      <div role="gridcell" aria-colindex={5} className={styles['actions']}>
        <RowButtons row={row} onMenu={onMenu} />
      </div>
    </div>
  )
})

/** Opens and closes the row; with keys the row itself does. */
function FolderToggle({ id, isOpen }: { readonly id: TransferId; readonly isOpen: boolean }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      tabIndex={-1}
      data-disclosure
      aria-label={isOpen ? 'Hide files' : 'Show files'}
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

/** How much is there, in percent; null where that says nothing. */
function percentShown(row: Row): number | null {
  const { status, confirmedBytes } = row
  if (status === 'completed' || status === 'canceled') return null
  const isMoved = confirmedBytes > 0 || (status !== 'queued' && status !== 'waiting' && status !== 'failed')
  return isMoved ? percentOf(confirmedBytes, wholeSize(row)) : null
}

/**
 * Which place it goes to or comes from, where there are several, and its folder, where names alone don't tell transfers
 * apart.
 */
function PlaceTag({ row }: { readonly row: Row }) {
  const place = useApp((state) => (state.places.length > 1 ? placeById(state, row.placeId) : null))
  const isShared = useIsNameShared(row.name)
  const folder = isShared ? folderNameOf(row) : ''
  const words = [place?.name ?? '', folder].filter((part) => part !== '').join(' / ')
  return words === '' ? null : <span className={styles['place']}>{visibleText(words)}</span>
}

function gridOf(row: HTMLElement): Element | null {
  return row.closest('[role="treegrid"]')
}

/** Progress, and speed and time left where the list is wide enough for columns of their own. */
function Numbers({ row, percent }: { readonly row: Row; readonly percent: number }) {
  const { status, bytesPerSecond } = row
  const isMoving = status === 'transferring'
  return (
    <>
      <div role="gridcell" aria-colindex={2} className={cx(styles['number'], styles['percent'])}>
        {String(percent)} %
      </div>
      <div role="gridcell" aria-colindex={3} className={cx(styles['number'], styles['wideOnly'])}>
        {isMoving && bytesPerSecond > 0 ? formatRate(bytesPerSecond) : ''}
      </div>
      <div role="gridcell" aria-colindex={4} className={cx(styles['number'], styles['wideOnly'])}>
        {isMoving ? describeTimeLeft(row) : ''}
      </div>
    </>
  )
}

function DirectionGlyph({ row }: { readonly row: Row }) {
  const { Glyph, label } = directionOf(row)
  return (
    <Glyph
      size={16}
      role="img"
      aria-label={label}
      className={cx(styles['glyph'], row.status === 'transferring' && styles['moving'])}
    />
  )
}

function directionOf(row: Row) {
  if (row.direction === 'upload') {
    return isFolder(row) ? { Glyph: FolderUp, label: 'Folder upload' } : { Glyph: ArrowUpFromLine, label: 'Upload' }
  }
  return isFolder(row) ? { Glyph: FolderDown, label: 'Folder download' } : { Glyph: ArrowDownToLine, label: 'Download' }
}
