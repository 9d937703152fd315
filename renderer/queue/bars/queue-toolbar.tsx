import { t } from '../../../shared/language/translate.ts'
import { FILTER_FIELD_ID } from '../../actions/field-ids.ts'
import { useUi } from '../../state/selectors.ts'
import { setSearch } from '../../state/ui/list-view.ts'
import { SearchField } from '../../ui/fields/fields.tsx'
import { Tools } from '../../ui/overlays/tools.tsx'
import toolbar from '../../ui/toolbar.module.css'
import { useTools } from './use-tools.ts'

/** The line above the list: add, act on the selection, act on all, filter. */
export function QueueToolbar() {
  const search = useUi((state) => state.search)
  const tools = useTools()
  return (
    <div className={toolbar['bar']}>
      <Tools label={t('queue.actions')} tools={tools} />
      <div className={toolbar['search']}>
        <SearchField id={FILTER_FIELD_ID} label={t('queue.filter-field')} value={search} onChange={setSearch} />
      </div>
    </div>
  )
}
