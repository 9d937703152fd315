import { useEffect } from 'react'
import {
  DEFAULT_SETTINGS,
  type Appearance,
  type ClearsDone,
  type Settings,
  type WhenClosed,
} from '../../shared/settings.ts'
import { changeSettings, reloadSettings, useApp } from '../state/app-store.ts'
import { run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Choice } from '../ui/fields.tsx'
import styles from './settings-sheet.module.css'

const CLOSING: readonly { readonly value: WhenClosed; readonly label: string; readonly detail: string }[] = [
  { value: 'ask', label: 'Ask', detail: 'Choose each time.' },
  { value: 'quit', label: 'Quit', detail: 'Transfers pause and continue when you reopen Sluice.' },
  { value: 'keep-running', label: 'Keep running', detail: 'The window is minimized and transfers go on.' },
]
const APPEARANCES: readonly { readonly value: Appearance; readonly label: string }[] = [
  { value: 'system', label: 'Use system setting' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const CLEARING: readonly { readonly value: ClearsDone; readonly label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'After a day' },
  { value: 'week', label: 'After a week' },
  { value: 'closing', label: 'When Sluice closes' },
]
const { whenClosed, appearance, notifiesDone, notifiesAttention, startsAdded, clearsDone, showsTray } = DEFAULT_SETTINGS
const DEFAULTS = { whenClosed, appearance, notifiesDone, notifiesAttention, startsAdded, clearsDone, showsTray }

/** Settings that are chosen, not typed: they count at once. */
export function GeneralFields() {
  const settings = useApp((state) => state.settings)
  // An answer to the quit question may have changed them meanwhile.
  useEffect(() => run(reloadSettings()), [])
  const isMac = useApp((state) => state.info?.platform === 'darwin')
  const set = (changes: Partial<Settings>): void => run(changeSettings(changes))
  return (
    <>
      <Choice
        label="When the window is closed during transfers"
        value={settings.whenClosed}
        options={CLOSING}
        onChange={(chosen) => set({ whenClosed: chosen })}
      />
      <Checkbox isSelected={settings.startsAdded} onChange={(is) => set({ startsAdded: is })}>
        Start transfers when added
      </Checkbox>
      <Choice
        label="Remove finished transfers from the list"
        value={settings.clearsDone}
        options={CLEARING}
        onChange={(chosen) => set({ clearsDone: chosen })}
      />
      <Choice
        label="Appearance"
        value={settings.appearance}
        options={APPEARANCES}
        onChange={(chosen) => set({ appearance: chosen })}
      />
      <Checkbox isSelected={settings.showsTray} onChange={(is) => set({ showsTray: is })}>
        {isMac ? 'Show Sluice in the menu bar' : 'Show Sluice in the notification area'}
      </Checkbox>
      <div role="group" aria-label="Notifications" className={styles['group']}>
        <span className={styles['caption']}>Notify me when</span>
        <Checkbox isSelected={settings.notifiesDone} onChange={(is) => set({ notifiesDone: is })}>
          Transfers finish
        </Checkbox>
        <Checkbox isSelected={settings.notifiesAttention} onChange={(is) => set({ notifiesAttention: is })}>
          A transfer needs attention
        </Checkbox>
      </div>
      <p>
        <Button onPress={() => set(DEFAULTS)}>Reset to defaults</Button>
      </p>
    </>
  )
}
