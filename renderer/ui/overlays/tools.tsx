import { Ellipsis, type LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { MenuTrigger, Separator, Toolbar } from 'react-aria-components'
import { t } from '../../../shared/language/translate.ts'
import { Button } from '../button.tsx'
import { useFitting } from '../hooks/use-fitting.ts'
import { ownKeys } from '../shortcut.ts'
import toolbar from '../toolbar.module.css'
import { Tooltip } from '../tooltip.tsx'
import { MenuList, MenuPopover } from './menu.tsx'
import styles from './tools.module.css'

/** A tool of the bar above a list. */
export interface Tool {
  readonly id: string
  readonly label: string
  /** How many things the tool acts on, if several. */
  readonly detail?: string
  readonly look: 'outline' | 'quiet'
  readonly Icon: LucideIcon
  readonly isIconOnly?: boolean
  readonly isDisabled?: boolean
  readonly startsGroup?: boolean
  /** Alternative keys that do the same, such as `Mod+O`. */
  readonly keys?: readonly string[]
  /** What it acts on, or why it can't, for the pointer that rests on it; null: nothing to say now. */
  readonly hint?: string | null
  readonly onPress: () => void
}

export interface ToolsProps {
  readonly label: string
  /** Ordered by how long they stay when space gets scarce. */
  readonly tools: readonly Tool[]
}

/** Tools beside each other. Those that don't fit are in a menu. */
export function Tools({ label, tools }: ToolsProps) {
  const bar = useRef<HTMLDivElement>(null)
  const fitting = useFitting(bar, tools.length)
  const rest = tools.slice(fitting)
  return (
    <Toolbar aria-label={label} ref={bar} className={styles['tools'] ?? ''}>
      {tools.map((tool, index) => (
        <span key={tool.id} data-fits hidden={index >= fitting} className={styles['tool']}>
          {tool.startsGroup === true && <Separator orientation="vertical" className={toolbar['line'] ?? ''} />}
          <ToolButton tool={tool} />
        </span>
      ))}
      {rest.length > 0 && <RestMenu tools={rest} />}
    </Toolbar>
  )
}

function ToolButton({ tool }: { readonly tool: Tool }) {
  const { label, detail = '', look, Icon, isIconOnly, isDisabled = false, keys = [], hint, onPress } = tool
  const [shortcut] = ownKeys(keys)
  if (isIconOnly === true) {
    return (
      <Button {...{ look, label, isDisabled, onPress }} keepsFocus {...(shortcut && { shortcut })}>
        <Icon size={look === 'quiet' ? 16 : 14} aria-hidden />
      </Button>
    )
  }
  const button = (
    <Button {...{ look, isDisabled, onPress }} keepsFocus>
      <Icon size={14} aria-hidden /> {label}
      {detail !== '' && <span className={styles['count']}> {detail}</span>}
    </Button>
  )
  return hint === undefined ? button : <Tooltip text={hint}>{button}</Tooltip>
}

function RestMenu({ tools }: { readonly tools: readonly Tool[] }) {
  return (
    <MenuTrigger>
      <Button look="quiet" label={t('window.more-tools')}>
        <Ellipsis size={16} aria-hidden />
      </Button>
      <MenuPopover placement="bottom start">
        <MenuList
          label={t('window.more-tools')}
          entries={tools.map(
            ({ id, label, detail = '', isDisabled = false, startsGroup = false, keys = [] }, index) => ({
              id,
              keys,
              label: detail === '' ? label : `${label} ${detail}`,
              isDisabled,
              startsGroup: startsGroup && index > 0,
            }),
          )}
          onAction={(id) => {
            tools.find((tool) => tool.id === id)?.onPress()
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}
