import { useTotals, useUi } from '../state/selectors.ts'
import { setFilter, type Filter } from '../state/ui-store.ts'
import { formatCount } from '../words/format.ts'
import { NavButton, NavSection } from '../ui/nav-list.tsx'

export const FILTERS: readonly { readonly filter: Filter; readonly label: string }[] = [
  { filter: 'all', label: 'All' },
  { filter: 'active', label: 'Active' },
  { filter: 'waiting', label: 'Waiting' },
  { filter: 'paused', label: 'Paused' },
  { filter: 'attention', label: 'Attention' },
  { filter: 'done', label: 'Done' },
]

/** The transfers by what they are doing, with counts. */
export function FilterList() {
  const { counts } = useTotals()
  const current = useUi((state) => (state.view === 'queue' ? state.filter : null))
  return (
    <NavSection title="Transfers">
      {FILTERS.map(({ filter, label }) => (
        <NavButton
          key={filter}
          label={label}
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
