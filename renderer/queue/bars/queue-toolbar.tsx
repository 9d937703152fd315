import { Ellipsis } from 'lucide-react'
import { Fragment, useRef } from 'react'
import { MenuTrigger, Separator, Toolbar } from 'react-aria-components'
import { t } from '../../../shared/language/translate.ts'
import { FILTER_FIELD_ID } from '../../actions/field-ids.ts'
import { useUi } from '../../state/selectors.ts'
import { setSearch } from '../../state/ui/list-view.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/fields/fields.tsx'
import { useFitting } from '../../ui/hooks/use-fitting.ts'
import { MenuList, MenuPopover } from '../../ui/overlays/menu.tsx'
import toolbar from '../../ui/toolbar.module.css'
import styles from './queue-toolbar.module.css'
import { useTools, type Tool } from './use-tools.ts'

/** The line above the list: add, act on the selection, act on all, filter. Tools that don't fit are in a menu. */
export function QueueToolbar() {
  const search = useUi((state) => state.search)
  const bar = useRef<HTMLDivElement>(null)
  const tools = useTools()
  const fitting = useFitting(bar, tools.length)
  const rest = tools.slice(fitting)
  return (
    <div className={toolbar['bar']}>
      <Toolbar aria-label={t('queue.actions')} ref={bar} className={styles['tools'] ?? ''}>
        {tools.map((tool, index) => (
          <Fragment key={tool.id}>
            <span data-fits hidden={index >= fitting} className={styles['tool']}>
              {tool.startsGroup === true && <Separator orientation="vertical" className={toolbar['line'] ?? ''} />}
              <ToolButton tool={tool} />
            </span>
          </Fragment>
        ))}
        {rest.length > 0 && <RestMenu tools={rest} />}
      </Toolbar>
      <div className={toolbar['search']}>
        <SearchField id={FILTER_FIELD_ID} label={t('queue.filter-field')} value={search} onChange={setSearch} />
      </div>
    </div>
  )
}

function ToolButton({ tool }: { readonly tool: Tool }) {
  const { label, detail = '', look, Icon, isIconOnly, isDisabled = false, shortcut, onPress } = tool
  if (isIconOnly === true) {
    return (
      <Button {...{ look, label, isDisabled, onPress }} keepsFocus {...(shortcut && { shortcut })}>
        <Icon size={14} aria-hidden />
      </Button>
    )
  }
  return (
    <Button {...{ look, isDisabled, onPress }} keepsFocus>
      <Icon size={14} aria-hidden /> {label}
      {detail !== '' && <span className={styles['count']}> {detail}</span>}
    </Button>
  )
}

function RestMenu({ tools }: { readonly tools: readonly Tool[] }) {
  return (
    <MenuTrigger>
      <Button look="quiet" label={t('queue.more-tools')}>
        <Ellipsis size={16} aria-hidden />
      </Button>
      <MenuPopover placement="bottom start">
        <MenuList
          label={t('queue.more-tools')}
          entries={tools.map(({ id, label, detail = '', isDisabled = false, startsGroup = false }, index) => ({
            id,
            label: detail === '' ? label : `${label} ${detail}`,
            isDisabled,
            startsGroup: startsGroup && index > 0,
          }))}
          onAction={(id) => {
            tools.find((tool) => tool.id === id)?.onPress()
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}
