import { useEffect, useRef } from 'react'
import { t } from '../../shared/language/translate.ts'
import { ADD_PAUSED_KEYS } from '../commands/shortcuts.ts'
import { useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { useLateFocus } from '../ui/hooks/use-late-focus.ts'
import { keysOf, shortcutText } from '../ui/shortcut.ts'
import { Tooltip } from '../ui/tooltip.tsx'

/** Adds transfers. Without `addsPaused`, the settings say whether they start. */
export type AddTo = (adding: { readonly addsPaused?: true }) => void

export interface AddButtonsProps {
  /** The label of the main button, after which transfers start in their turn. */
  readonly label: string
  readonly isDisabled: boolean
  /** Whether the main button takes focus once it is enabled, unless the focus has moved elsewhere by then. */
  readonly takesFocus?: boolean
  readonly onAdd: AddTo
}

/** The final buttons of a sheet that adds transfers: one that adds them paused, and the main one. */
export function AddButtons({ label, isDisabled, takesFocus = false, onAdd }: AddButtonsProps) {
  // If the settings add everything paused, the main button does the same.
  const isOffered = useApp(({ settings }) => settings.startsAdded)
  const main = useLateFocus<HTMLButtonElement>(takesFocus && !isDisabled)
  usePausedKeys(isOffered && !isDisabled, () => onAdd({ addsPaused: true }))
  return (
    <>
      {isOffered && (
        <Tooltip text={t('sheets.add-paused.hint')} shortcut={shortcutText(ADD_PAUSED_KEYS)}>
          <Button isDisabled={isDisabled} onPress={() => onAdd({ addsPaused: true })}>
            {t('sheets.add-paused')}
          </Button>
        </Tooltip>
      )}
      <Button ref={main} takesFocus={takesFocus} look="solid" isDisabled={isDisabled} onPress={() => onAdd({})}>
        {label}
      </Button>
    </>
  )
}

/** Handles the key anywhere in the sheet, even while a button has focus, which Return alone would press. */
function usePausedKeys(isOn: boolean, add: () => void): void {
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    if (!isOn) return undefined
    const abort = new AbortController()
    const onKeyDown = (event: KeyboardEvent): void => {
      if (keysOf(event) !== ADD_PAUSED_KEYS || event.repeat) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: abort.signal })
    return () => {
      abort.abort()
    }
  }, [isOn])
}
