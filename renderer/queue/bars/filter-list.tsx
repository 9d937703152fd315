import { ArrowDownUp, Check, CircleAlert, Clock, List, Pause, type LucideIcon } from 'lucide-react'
import { commandLabel } from '../../../shared/ipc/menu-commands.ts'
import { t } from '../../../shared/language/translate.ts'
import { useTotals, useUi } from '../../state/selectors.ts'
import { setFilter } from '../../state/ui/list-view.ts'
import type { Filter } from '../../state/ui/ui-store.ts'
import { formatCount } from '../../words/format.ts'
import { NavButton, NavSection } from '../../ui/nav-list.tsx'

const FILTERS: readonly { readonly filter: Filter; readonly Icon: LucideIcon }[] = [
  { filter: 'all', Icon: List },
  { filter: 'attention', Icon: CircleAlert },
  { filter: 'active', Icon: ArrowDownUp },
  { filter: 'waiting', Icon: Clock },
  { filter: 'paused', Icon: Pause },
  { filter: 'done', Icon: Check },
]

/** The filters of the list, by what transfers are doing, with counts. */
export function FilterList() {
  const { counts } = useTotals()
  const current = useUi((state) => (state.view === 'queue' ? state.filter : null))
  return (
    <NavSection title={t('queue.title')}>
      {FILTERS.map(({ filter, Icon }) => (
        <NavButton
          key={filter}
          label={commandLabel(`filter:${filter}`)}
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
