import { useCallback, useEffect, useRef, useState, type MouseEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { useQueueLength, useShownIds, useUi } from '../state/selectors.ts'
import { shownStore } from '../state/shown-ids.ts'
import { endReveal, focusRow, selectOnly, selectRange, setHovered, toggleSelected, uiStore } from '../state/ui-store.ts'
import { cx } from '../ui/cx.ts'
import { useVirtualRows } from '../ui/hooks/use-virtual-rows.ts'
import { RowMenu, type OpenMenu } from './row-menu.tsx'
import styles from './transfer-queue.module.css'
import hidden from '../ui/unseen.module.css'
import { rowElement } from './row-element.ts'
import { TransferRow } from './transfer-row.tsx'
import { ROW_HEIGHT, useQueueKeyboard } from './use-queue-keyboard.ts'

/** The list of all transfers, as a grid with one tab stop. Only visible rows, and the focused one, are in the document. */
export function TransferQueue() {
  const ids = useShownIds()
  const isEmpty = useQueueLength() === 0
  const focusedId = useUi((state) => state.focusedId)
  const focusedIndex = focusedId === null ? -1 : ids.indexOf(focusedId)
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, height, scrollTo } = useVirtualRows({
    count: ids.length,
    rowHeight: ROW_HEIGHT,
    scroller,
    keptIndex: focusedIndex,
  })
  const onKeyDown = useQueueKeyboard(scroller, scrollTo)
  useReveal(ids, scrollTo)
  const { menu, openAt, closeMenu, onContextMenu } = useRowMenu()
  useFocusReturn()
  const tabStop = focusedIndex < 0 ? 0 : focusedIndex
  return (
    <div
      role="grid"
      aria-label="Transfers"
      aria-rowcount={ids.length + 1}
      aria-multiselectable
      tabIndex={-1}
      className={cx(styles['grid'], isEmpty && styles['empty'])}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onFocus={onFocus}
      onPointerOver={onPointerOver}
      onPointerLeave={() => {
        setHovered(null)
      }}
    >
      <div role="row" aria-rowindex={1} className={styles['header']}>
        <span role="columnheader">Name</span>
        <span role="columnheader" className={styles['right']}>
          Progress
        </span>
        <span role="columnheader" className={cx(styles['right'], styles['wideOnly'])}>
          Speed
        </span>
        <span role="columnheader" className={cx(styles['right'], styles['wideOnly'])}>
          Time left
        </span>
        <span role="columnheader" className={styles['actionsHeader']}>
          <span className={hidden['unseen']}>Actions</span>
        </span>
      </div>
      <div ref={scroller} role="rowgroup" className={styles['scroller']}>
        <div role="presentation" className={styles['rows']} style={{ height }}>
          {rows.map(({ index, top }) => {
            const id = ids[index]
            return id === undefined ? null : (
              <TransferRow key={id} id={id} index={index} top={top} isTabStop={index === tabStop} onMenu={openAt} />
            )
          })}
        </div>
      </div>
      {menu !== null && <RowMenu menu={menu} onClose={closeMenu} />}
    </div>
  )
}

/** Back to the row after a sheet that a row's menu had opened: the menu, where focus was, is gone by then. */
function useFocusReturn(): void {
  const hasDialog = useUi((state) => state.dialog.kind !== 'none')
  useEffect(() => {
    if (hasDialog) return undefined
    const frame = requestAnimationFrame(() => {
      const { focusedId } = uiStore.getState()
      if (focusedId !== null && document.activeElement === document.body) rowElement(focusedId)?.focus()
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [hasDialog])
}

function useReveal(ids: readonly TransferId[], scrollTo: (index: number) => void): void {
  const revealedId = useUi((state) => state.revealedId)
  useEffect(() => {
    const index = revealedId === null ? -1 : ids.indexOf(revealedId)
    if (index < 0) return
    scrollTo(index)
    endReveal()
  }, [revealedId, ids, scrollTo])
}

function useRowMenu() {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const closeMenu = useCallback(() => {
    setMenu(null)
  }, [])
  const openAt = useCallback((id: TransferId, anchor: Element) => {
    const { left, bottom } = anchor.getBoundingClientRect()
    setMenu({ ids: idsToActOn(id), x: left, y: bottom })
  }, [])
  const onContextMenu = useCallback((event: MouseEvent) => {
    const id = rowIdOf(event.target)
    if (id === null) return
    event.preventDefault()
    setMenu({ ids: idsToActOn(id), x: event.clientX, y: event.clientY })
  }, [])
  return { menu, openAt, closeMenu, onContextMenu }
}

/** A menu on a selected row is for the whole selection; on another row it selects that one. */
function idsToActOn(id: TransferId): readonly TransferId[] {
  if (!uiStore.getState().selection.has(id)) selectOnly(id)
  return [...uiStore.getState().selection]
}

function rowIdOf(target: EventTarget): TransferId | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role="row"][data-id]') : null
  return row?.dataset['id'] ?? null
}

function onClick(event: MouseEvent): void {
  const id = rowIdOf(event.target)
  if (id === null || (event.target instanceof Element && event.target.closest('button') !== null)) return
  if (event.shiftKey) selectRange(id, shownStore.getState().ids)
  else if (event.ctrlKey || event.metaKey) toggleSelected(id)
  else selectOnly(id)
}

function onFocus({ target }: { readonly target: EventTarget }): void {
  const id = rowIdOf(target)
  if (id !== null) focusRow(id)
}

function onPointerOver({ target }: { readonly target: EventTarget }): void {
  setHovered(rowIdOf(target))
}
