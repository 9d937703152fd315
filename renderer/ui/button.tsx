import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type PressEvent } from 'react-aria-components'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { shortcutText } from './shortcut.ts'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps {
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
  /** `solid` is for the main action of a sheet, `outline` for others, `quiet` for buttons in rows and bars. */
  readonly look?: 'solid' | 'outline' | 'quiet' | 'danger'
  /** The name when the content is only an icon. */
  readonly label?: string
  readonly className?: string | undefined
  readonly isDisabled?: boolean
  /** Keeps and takes focus even while disabled: for tools in a bar, which their own press may disable. */
  readonly keepsFocus?: boolean
  /** Takes focus when its sheet opens, like the safe answer of a question. */
  readonly takesFocus?: boolean
  readonly type?: 'button' | 'submit'
  /** True inside the grid, which has one tab stop; arrow keys reach the button instead. */
  readonly excludeFromTabOrder?: boolean
  readonly hasPopup?: 'menu' | 'dialog'
  readonly isExpanded?: boolean
  readonly isPressed?: boolean
  /** The keys that do the same, such as `Mod+I`; shown in the tooltip of an icon. */
  readonly shortcut?: string
  readonly onPress?: (event: PressEvent) => void
}

/** A push button. */
export function Button(props: ButtonProps) {
  const {
    children,
    look = 'outline',
    label,
    className,
    hasPopup,
    isExpanded,
    isPressed,
    takesFocus = false,
    shortcut,
    isDisabled = false,
    keepsFocus = false,
    onPress,
    ...rest
  } = props
  const isInert = isDisabled && keepsFocus
  const button = (
    <AriaButton
      {...rest}
      {...{ autoFocus: takesFocus }}
      isDisabled={isDisabled && !keepsFocus}
      {...(isInert ? { 'aria-disabled': true } : {})}
      {...(isInert || onPress === undefined ? {} : { onPress })}
      {...(look === 'solid' ? { 'data-main': '' } : {})}
      className={cx(styles['button'], styles[look], label !== undefined && styles['icon'], className)}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(hasPopup === undefined ? {} : { 'aria-haspopup': hasPopup })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
    >
      {children}
    </AriaButton>
  )
  if (label === undefined) return button
  return (
    <Tooltip text={label} shortcut={shortcut === undefined ? undefined : shortcutText(shortcut)}>
      {button}
    </Tooltip>
  )
}
