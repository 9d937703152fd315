import { ArrowDownUp, Check, CircleAlert, Clock, List, Pause, type LucideIcon } from 'lucide-react'
import { useTotals, useUi } from '../../state/selectors.ts'
import { setFilter, type Filter } from '../../state/ui-store.ts'
import { formatCount } from '../../words/format.ts'
import { groupWords } from '../../words/group-words.ts'
import { NavButton, NavSection } from '../../ui/nav-list.tsx'

const FILTERS: readonly { readonly filter: Filter; readonly label: string; readonly Icon: LucideIcon }[] = [
  { filter: 'all', label: 'All', Icon: List },
  { filter: 'attention', label: groupWords('attention'), Icon: CircleAlert },
  { filter: 'active', label: groupWords('active'), Icon: ArrowDownUp },
  { filter: 'waiting', label: groupWords('waiting'), Icon: Clock },
  { filter: 'paused', label: groupWords('paused'), Icon: Pause },
  { filter: 'done', label: groupWords('done'), Icon: Check },
]

/** The transfers by what they are doing, with counts. */
export function FilterList() {
  const { counts } = useTotals()
  const current = useUi((state) => (state.view === 'queue' ? state.filter : null))
  return (
    <NavSection title="Transfers">
      {FILTERS.map(({ filter, label, Icon }) => (
        <NavButton
          key={filter}
          label={label}
          icon={<Icon size={14} aria-hidden />}
          isCurrent={filter === current}
          detail={counts[filter] > 0 ? formatCount(counts[filter]) : ''}
          isUrgent={filter === 'attention'}
          onPress={() => {
            setFilter(filter)
          }}
        />
      ))}
    </NavSection>
  )
}
