import { ChevronDown, ChevronUp, Columns3 } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import { COLUMNS, type Column, type SortColumn } from '../../shared/transfer/queue-view.ts'
import { useUi } from '../state/selectors.ts'
import { sortRowsBy, toggleColumn, toggleCompact } from '../state/ui/list-view.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { PointMenu } from '../ui/overlays/point-menu.tsx'
import sortStyles from '../ui/sort-button.module.css'
import { templateOf } from './rows/columns.ts'
import styles from './transfer-queue.module.css'

/** A position in the window, pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

/** The column heads, which sort the list. A right click, or the button at their end, lets a person choose columns. */
export function ColumnHeads({ columns }: { readonly columns: readonly Column[] }) {
  const [menu, setMenu] = useState<Point | null>(null)
  const element = useRef<HTMLDivElement>(null)
  useRightClick(element, setMenu)
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={1}
      className={styles['header']}
      style={{ gridTemplateColumns: templateOf(columns) }}
    >
      <ColumnHead by="name" label={t('queue.head.name')} className={styles['nameHead']} />
      {columns.map((column) => (
        <ColumnHead key={column} by={column} label={t(`queue.head.${column}`)} className={styles['numberHead']} />
      ))}
      <span role="columnheader" aria-label={t('queue.actions')} className={styles['actionsHead']}>
        <Button
          look="quiet"
          label={t('queue.columns')}
          hasPopup="menu"
          excludeFromTabOrder
          className={styles['choose']}
          onPress={({ target }) => {
            const { left, bottom } = target.getBoundingClientRect()
            setMenu({ x: left, y: bottom })
          }}
        >
          <Columns3 size={14} aria-hidden />
        </Button>
      </span>
      {menu !== null && <ColumnMenu at={menu} onClose={() => setMenu(null)} />}
    </div>
  )
}

function useRightClick(element: RefObject<HTMLElement | null>, openAt: (point: Point) => void): void {
  useEffect(() => {
    const abort = new AbortController()
    const open = (event: MouseEvent): void => {
      event.preventDefault()
      openAt({ x: event.clientX, y: event.clientY })
    }
    element.current?.addEventListener('contextmenu', open, { signal: abort.signal })
    return () => {
      abort.abort()
    }
  }, [element, openAt])
}

const COMPACT = 'compact-rows'

interface ColumnMenuProps {
  readonly at: Point
  readonly onClose: () => void
}

function ColumnMenu({ at, onClose }: ColumnMenuProps) {
  const chosen = useUi((state) => state.columns)
  const isCompact = useUi((state) => state.isCompact)
  return (
    <PointMenu
      at={at}
      label={t('queue.columns')}
      entries={[
        ...COLUMNS.map((column) => ({
          id: column,
          label: commandLabel(`column:${column}`),
          isTicked: chosen.includes(column),
        })),
        { id: COMPACT, label: commandLabel(COMPACT), isTicked: isCompact, startsGroup: true },
      ]}
      onClose={onClose}
      onAction={(id) => {
        if (id === COMPACT) toggleCompact()
        else toggleColumn(id as Column)
      }}
    />
  )
}

interface ColumnHeadProps {
  readonly by: SortColumn
  readonly label: string
  readonly className: string | undefined
}

function ColumnHead({ by, label, className }: ColumnHeadProps) {
  const direction = useUi(({ sort }) => (sort?.by === by ? (sort.isDescending ? 'descending' : 'ascending') : 'none'))
  const Arrow = direction === 'descending' ? ChevronDown : ChevronUp
  return (
    <div role="columnheader" aria-sort={direction} className={cx(styles['head'], className)}>
      {/* The grid has one tab stop, so this button is only for the pointer and for screen readers. */}
      <button type="button" tabIndex={-1} className={sortStyles['sort']} onClick={() => sortRowsBy(by)}>
        {label}
        {direction !== 'none' && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  )
}
