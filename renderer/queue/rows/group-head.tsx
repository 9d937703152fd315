import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { headKey } from '../../state/queue/list-layout.ts'
import { useUi } from '../../state/selectors.ts'
import { toggleGroup } from '../../state/ui/list-view.ts'
import { useFocusedRow } from '../../ui/hooks/use-focused-row.ts'
import { formatCount } from '../../words/format.ts'
import { groupWords, type Group } from '../../words/group-words.ts'
import { useShownColumns } from './columns.ts'
import { gridOf } from './row-element.ts'
import styles from './group-head.module.css'

export interface GroupHeadProps {
  readonly group: Group
  readonly count: number
  readonly isCollapsed: boolean
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly isTabStop: boolean
}

/** The heading above the rows of a group, which opens and closes it. */
export const GroupHead = memo(function GroupHead(props: GroupHeadProps) {
  const { group, count, isCollapsed, index, top, isTabStop } = props
  const columns = useShownColumns()
  const key = headKey(group)
  const isFocused = useUi((state) => state.focusedId === key)
  const element = useFocusedRow<HTMLButtonElement>(isFocused, gridOf)
  const Chevron = isCollapsed ? ChevronRight : ChevronDown
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-id={key}
      className={styles['head']}
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      <div role="gridcell" aria-colspan={columns.length + 2} className={styles['cell']}>
        <button
          ref={element}
          type="button"
          data-line-focus
          tabIndex={isTabStop ? 0 : -1}
          aria-expanded={!isCollapsed}
          // Begins with the visible words, for people who use voice control.
          aria-label={t('queue.group.spoken', { group: groupWords(group), count })}
          className={styles['button']}
          onClick={() => toggleGroup(group)}
        >
          <Chevron size={14} aria-hidden />
          {groupWords(group)} <span className={styles['count']}>{formatCount(count)}</span>
        </button>
      </div>
    </div>
  )
})
