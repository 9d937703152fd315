import { CircleAlert } from 'lucide-react'
import { t } from '../../../shared/language/translate.ts'
import { useUi } from '../../state/selectors.ts'
import { cx } from '../../ui/cx.ts'
import { useFocusedRow } from '../../ui/hooks/use-focused-row.ts'
import files from './file-row.module.css'
import { gridOf } from './row-element.ts'
import styles from './transfer-row.module.css'

interface BrokenRowProps {
  /** The key of its line. */
  readonly id: string
  readonly level: 1 | 2
  /** Empty if it isn't known. */
  readonly name: string
  readonly index: number
  readonly top: number
  readonly isTabStop: boolean
}

/** Replaces a row that can't be drawn. The keyboard and the menu work on it as on any row. */
export function BrokenRow({ id, level, name, index, top, isTabStop }: BrokenRowProps) {
  const isFocused = useUi((state) => state.focusedId === id)
  const isSelected = useUi((state) => state.selection.has(id))
  const element = useFocusedRow<HTMLDivElement>(isFocused, gridOf)
  return (
    <div
      ref={element}
      role="row"
      aria-level={level}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={name || t('window.cannot-show')}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      className={
        level === 1 ? cx(styles['row'], isSelected && styles['selected'], styles['failed']) : cx(files['file'])
      }
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      <div role="gridcell" aria-colindex={1} className={styles['main']}>
        <CircleAlert size={16} strokeWidth={1.75} aria-hidden className={styles['danger']} />
        <div className={styles['lines']}>
          {name !== '' && <span className={styles['name']}>{name}</span>}
          <span className={cx(styles['status'], styles['danger'])}>{t('window.cannot-show')}</span>
        </div>
      </div>
    </div>
  )
}
