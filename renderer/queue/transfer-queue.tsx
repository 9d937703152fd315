import { useEffect, useRef, type MouseEvent } from 'react'
import { assertNever } from '../../shared/assert.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import {
  fileKey,
  fileOfKey,
  keyOf,
  LINE_HEIGHT,
  TALL_HEIGHT,
  transferOfKey,
  type Line,
} from '../state/queue/list-layout.ts'
import { useListLayout, useQueueLength, useUi } from '../state/selectors.ts'
import { idsBetween, lineOf, shownGroupOf, shownIds } from '../state/shown-ids.ts'
import {
  endReveal,
  focusRow,
  selectOnly,
  selectRange,
  selectSpanned,
  setHovered,
  toggleSelected,
} from '../state/ui/row-selection.ts'
import { hasSheet } from '../state/ui/open-dialogs.ts'
import { toggleGroup } from '../state/ui/list-view.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { cx } from '../ui/cx.ts'
import { createPointerHold } from '../ui/hooks/pointer-hold.ts'
import { Marquee } from '../ui/marquee.tsx'
import { ErrorBoundary } from '../ui/overlays/error-boundary.tsx'
import { holdsMod } from '../ui/shortcut.ts'
import { openLine } from './act-by-key.ts'
import { ColumnHeads } from './column-heads.tsx'
import { RowMenu } from './row-menu.tsx'
import { BrokenRow } from './rows/broken-row.tsx'
import { ShownColumns } from './rows/columns.ts'
import { FileRow } from './rows/file-row.tsx'
import { GroupHead } from './rows/group-head.tsx'
import { keyOfLine, rowElement } from './rows/row-element.ts'
import { TransferRow, type RowLook } from './rows/transfer-row.tsx'
import { MAX_DRAWN_HEIGHT } from './tall-list.ts'
import styles from './transfer-queue.module.css'
import { useColumns } from './use-columns.ts'
import { useListWindow } from './use-list-window.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useQueueKeyboard } from './use-queue-keyboard.ts'
import { useRowMenu } from './use-row-menu.ts'

/** The height of the column heads, pixels. */
const HEADS_HEIGHT = 28

/**
 * All transfers by group, as a grid with one tab stop. Only visible lines, and the focused one, are in the document.
 */
export function TransferQueue() {
  const layout = useListLayout()
  const isEmpty = useQueueLength() === 0
  const focusedId = useUi((state) => state.focusedId)
  const focusedLine = focusedId === null ? -1 : lineOf(focusedId)
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroller)
  const { lines, shift, scrollTo, scrolledBy } = useListWindow({
    ...{ layout, scroller, keptIndex: focusedLine },
    topInset: HEADS_HEIGHT,
  })
  const onKeyDown = useQueueKeyboard(scroller, scrollTo)
  useReveal(scrollTo)
  const { menu, openAt, closeMenu, onContextMenu } = useRowMenu()
  useFocusReturn()
  useHovered()
  const drag = useRowDrag()
  const tabStop = focusedLine < 0 ? firstRow(layout.lineAt(0), layout.count) : focusedLine
  return (
    <div
      role="treegrid"
      aria-label={t('queue.title')}
      aria-rowcount={layout.count + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable
      tabIndex={-1}
      className={cx(styles['grid'], isEmpty && styles['empty'])}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={onContextMenu}
      onFocus={onFocus}
      {...drag.handlers}
    >
      <div ref={scroller} role="presentation" className={styles['scroller']}>
        <div role="rowgroup" className={styles['heads']}>
          <ColumnHeads columns={columns} />
        </div>
        <div role="rowgroup" className={styles['rows']} style={{ height: Math.min(layout.height, MAX_DRAWN_HEIGHT) }}>
          <ShownColumns value={columns}>
            {lines.map((line) => (
              <ListLine
                key={keyOf(line)}
                line={line}
                top={line.top - shift}
                isTabStop={line.index === tabStop}
                onMenu={openAt}
              />
            ))}
          </ShownColumns>
          {drag.markTop !== null && (
            <div role="presentation" className={styles['dropMark']} style={{ top: drag.markTop - shift - 1 }} />
          )}
        </div>
      </div>
      <Marquee scroller={scroller} topInset={HEADS_HEIGHT} scrolledBy={scrolledBy} onBegin={beginMarquee} />
      {menu !== null && <RowMenu menu={menu} onClose={closeMenu} />}
    </div>
  )
}

interface ListLineProps {
  readonly line: Line
  /** Where the line is drawn, pixels. */
  readonly top: number
  readonly isTabStop: boolean
  readonly onMenu: (id: TransferId, anchor: Element) => void
}

function ListLine({ line, top, isTabStop, onMenu }: ListLineProps) {
  const place = { index: line.index, top, isTabStop }
  switch (line.kind) {
    case 'head': {
      const { group, section } = line
      return (
        <GroupHead
          {...{ group, count: section.ids.length, isCollapsed: section.head?.isCollapsed === true, ...place }}
        />
      )
    }
    case 'row':
      return <TransferRow id={line.id} look={LOOKS.get(line.height) ?? 'usual'} onMenu={onMenu} {...place} />
    case 'file':
      return (
        <ErrorBoundary
          of={line}
          instead={<BrokenRow id={fileKey(line.id, line.number)} level={2} name="" {...place} />}
        >
          <FileRow id={line.id} number={line.number} {...place} />
        </ErrorBoundary>
      )
    default:
      return assertNever(line)
  }
}

const LOOKS: ReadonlyMap<number, RowLook> = new Map([
  [LINE_HEIGHT, 'line'],
  [TALL_HEIGHT, 'tall'],
])

/** The first tab stop: a row rather than the head of its group. */
function firstRow(first: Line | null, count: number): number {
  return first?.kind === 'head' && count > 1 && !(first.section.head?.isCollapsed ?? false) ? 1 : 0
}

/**
 * Moves the focus after a sheet closes: to the row that it added, or else back to the row whose menu opened it, because
 * the menu, where the focus was, is gone by then.
 */
function useFocusReturn(): void {
  const hasDialog = useUi(hasSheet)
  useEffect(() => {
    if (hasDialog) return undefined
    const frame = requestAnimationFrame(() => {
      const { focusedId, revealedId } = uiStore.getState()
      const active = document.activeElement
      const isFree = active === document.body || (revealedId !== null && active?.closest('[role="treegrid"]') != null)
      const id = revealedId ?? focusedId
      if (id !== null && isFree) rowElement(id)?.focus()
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [hasDialog])
}

/** How long an added row is followed, because it may move to another group at once, milliseconds. */
const REVEAL_MS = 1500

function useReveal(scrollTo: (index: number) => void): void {
  const revealedId = useUi((state) => state.revealedId)
  useEffect(() => {
    if (revealedId === null) return undefined
    const timer = setTimeout(endReveal, REVEAL_MS)
    const abort = new AbortController()
    for (const name of ['wheel', 'keydown', 'pointerdown']) {
      window.addEventListener(name, endReveal, { signal: abort.signal, passive: true })
    }
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [revealedId])
  // Runs after every change of the list.
  useEffect(() => {
    if (revealedId === null) return
    const group = shownGroupOf(revealedId)
    if (group !== null && uiStore.getState().filter === 'all' && uiStore.getState().collapsed.has(group)) {
      toggleGroup(group)
    }
    const index = lineOf(revealedId)
    if (index >= 0) scrollTo(index)
  })
}

/** Returns a function that selects the rows between two heights. */
function beginMarquee(adds: boolean): (from: number, to: number) => void {
  const base = adds ? uiStore.getState().selection : new Set<TransferId>()
  return (from, to) => selectSpanned(base, idsBetween(from, to))
}

function rowIdOf(target: EventTarget): TransferId | null {
  const key = keyOfLine(target)
  return key === null ? null : transferOfKey(key)
}

/** The line that the pointer is on, but not on one of its buttons. */
function pressedLine({ target }: MouseEvent): string | null {
  return target instanceof Element && target.closest('button') !== null ? null : keyOfLine(target)
}

function onDoubleClick(event: MouseEvent): void {
  const key = pressedLine(event)
  if (key !== null && !event.shiftKey && !event.ctrlKey && !event.metaKey) openLine(key)
}

function onClick(event: MouseEvent): void {
  const key = pressedLine(event)
  const id = key === null ? null : transferOfKey(key)
  if (key === null || id === null) return
  if (event.shiftKey) selectRange(id, shownIds())
  else if (holdsMod(event)) toggleSelected(id)
  else selectOnly(id)
  if (fileOfKey(key) !== null) focusRow(key)
}

function onFocus({ target }: { readonly target: EventTarget }): void {
  const key = keyOfLine(target)
  if (key !== null) focusRow(key)
}

/**
 * Follows the pointer over the whole document. If a button disappears under the pointer, no leave event comes, and with
 * React's `onPointerLeave` the row would be held in its group until the pointer came back.
 */
function useHovered(): void {
  useEffect(() => {
    const abort = new AbortController()
    const options = { signal: abort.signal, passive: true }
    const hold = createPointerHold(setHovered)
    const onOver = (event: PointerEvent): void => hold.over(rowOf(event), event)
    document.addEventListener('pointerover', onOver, options)
    document.addEventListener('pointermove', onOver, options)
    document.addEventListener('pointerdown', (event) => hold.pressed(rowOf(event), event), options)
    document.documentElement.addEventListener('pointerleave', () => hold.end(), options)
    // Ends the hold before the key acts, so that the row moves to where it then belongs, wherever the pointer rests.
    window.addEventListener('keydown', () => hold.end(), { ...options, capture: true })
    return () => {
      hold.end()
      abort.abort()
    }
  }, [])
}

function rowOf({ target }: PointerEvent): TransferId | null {
  return target === null ? null : rowIdOf(target)
}
