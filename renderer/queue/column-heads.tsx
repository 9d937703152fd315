import { ChevronDown, ChevronUp } from 'lucide-react'
import type { SortColumn } from '../../shared/transfer/queue-view.ts'
import { useUi } from '../state/selectors.ts'
import { sortRowsBy } from '../state/ui-store.ts'
import { cx } from '../ui/cx.ts'
import hidden from '../ui/unseen.module.css'
import styles from './transfer-queue.module.css'

/** The heads of the columns, which sort by them. */
export function ColumnHeads() {
  return (
    <div role="row" aria-rowindex={1} className={styles['header']}>
      <ColumnHead by="name" label="Name" className={styles['nameHead']} />
      <ColumnHead by="progress" label="Progress" className={styles['percentHead']} />
      <ColumnHead by="speed" label="Speed" className={styles['paceHead']} />
      <ColumnHead by="left" label="Time left" className={styles['paceHead']} />
      <span role="columnheader" className={styles['actionsHead']}>
        <span className={hidden['unseen']}>Actions</span>
      </span>
    </div>
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
      {/* The grid has one tab stop; sorting is for the pointer and for screen readers. */}
      <button type="button" tabIndex={-1} className={styles['sort']} onClick={() => sortRowsBy(by)}>
        {label}
        {direction !== 'none' && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  )
}
