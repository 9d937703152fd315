import { memo } from 'react'
import { ArrowDownToLine, ArrowUpFromLine, Ellipsis, FolderDown, FolderUp } from 'lucide-react'
import type { TransferId, TransferRow as Row } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { formatRate, percentOf } from '../words/format.ts'
import { describeTimeLeft, errorContext, isFolder, placeNameOf, wholeSize } from '../words/row-words.ts'
import { perform } from '../actions/transfer-actions.ts'
import { placeById, useApp } from '../state/app-store.ts'
import { primaryAction } from '../state/row-actions.ts'
import { useIsSelected, useTransferRow, useUi } from '../state/selectors.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { FileName } from '../ui/file-name.tsx'
import { useFocusedRow } from '../ui/hooks/use-focused-row.ts'
import { ProgressBar } from './progress-bar.tsx'
import { StatusLine } from './status-line.tsx'
import styles from './transfer-row.module.css'

export interface TransferRowProps {
  readonly id: TransferId
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly isTabStop: boolean
  readonly onMenu: (id: TransferId, anchor: Element) => void
}

/** One transfer: direction, name, what it is doing, one button, and a menu with the rest. */
export const TransferRow = memo(function TransferRow({ id, index, top, isTabStop, onMenu }: TransferRowProps) {
  const row = useTransferRow(id)
  const isSelected = useIsSelected(id)
  const isFocused = useUi((state) => state.focusedId === id)
  const element = useFocusedRow(isFocused, siblingsOf)
  if (row === undefined) return null
  const isOver = row.status === 'completed' || row.status === 'canceled'
  const isAtRest = isOver || (row.status === 'queued' && row.confirmedBytes === 0)
  const isFailed = row.status === 'failed'
  const hasPercent = !isAtRest && !(row.confirmedBytes === 0 && (isFailed || row.status === 'waiting'))
  const percent = hasPercent ? percentOf(row.confirmedBytes, wholeSize(row)) : null
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={visibleText(row.name)}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      className={cx(
        styles['row'],
        isSelected && styles['selected'],
        isFailed && styles['failed'],
        percent === null && styles['plain'],
      )}
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      <div role="gridcell" className={styles['main']}>
        <DirectionGlyph row={row} />
        <div className={styles['lines']}>
          <div className={styles['name']} title={visibleText(row.localPath)}>
            <FileName name={visibleText(row.name)} />
            <PlaceTag row={row} />
          </div>
          <StatusLine row={row} />
          {!isOver && !(isFailed && row.confirmedBytes === 0) && <ProgressBar row={row} />}
        </div>
      </div>
      <div role="gridcell" className={styles['number']}>
        {percent === null ? '' : `${String(percent)} %`}
      </div>
      <PaceCells row={row} />
      <div role="gridcell" className={styles['actions']}>
        <PrimaryButton row={row} />
        <MoreButton id={id} onMenu={onMenu} />
      </div>
    </div>
  )
})

/** Which place it goes to or comes from, where there are several: names alone don't tell transfers apart. */
function PlaceTag({ row }: { readonly row: Row }) {
  const place = useApp((state) => (state.places.length > 1 ? placeById(state, row.placeId) : null))
  return place === null ? null : <span className={styles['place']}>{visibleText(place.name)}</span>
}

function siblingsOf(row: HTMLElement): Element | null {
  return row.parentElement
}

/** Speed and time left, where the list is wide enough for columns of their own. */
function PaceCells({ row }: { readonly row: Row }) {
  const { status, bytesPerSecond } = row
  const isMoving = status === 'transferring'
  return (
    <>
      <div role="gridcell" className={cx(styles['number'], styles['wideOnly'])}>
        {isMoving && bytesPerSecond > 0 ? formatRate(bytesPerSecond) : ''}
      </div>
      <div role="gridcell" className={cx(styles['number'], styles['wideOnly'])}>
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

function PrimaryButton({ row }: { readonly row: Row }) {
  const place = useApp((state) => placeById(state, row.placeId))
  const primary = primaryAction(row, errorContext(row, placeNameOf(row, place)))
  if (primary === null) return null
  return (
    <Button
      look="quiet"
      excludeFromTabOrder
      isDisabled={!primary.enabled}
      className={styles['primary']}
      onPress={() => {
        perform(primary.action, [row.id])
      }}
    >
      {primary.label}
    </Button>
  )
}

function MoreButton({ id, onMenu }: Pick<TransferRowProps, 'id' | 'onMenu'>) {
  return (
    <Button
      look="quiet"
      label="More actions"
      hasPopup="menu"
      excludeFromTabOrder
      onPress={({ target }) => {
        onMenu(id, target)
      }}
    >
      <Ellipsis size={16} aria-hidden />
    </Button>
  )
}
