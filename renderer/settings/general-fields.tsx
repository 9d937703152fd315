import { t } from '../../shared/language/translate.ts'
import { LANGUAGE_CHOICES, UPDATE_CHANNELS, type Appearance, type WhenClosed } from '../../shared/settings.ts'
import { useApp } from '../state/app-store.ts'
import { useUpdates } from '../state/update-store.ts'
import { Checkbox, Choice } from '../ui/fields.tsx'
import { Select } from '../ui/select.tsx'
import styles from './settings-sheet.module.css'
import type { SettingsEditor } from './use-settings.ts'

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
/** Each is called what those who speak it call it. */
const LANGUAGES = {
  system: 'settings.language-system',
  en: 'settings.language.en',
  'zh-CN': 'settings.language.zh-CN',
} as const
/** The window, and what is told outside it. */
export function GeneralFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const isMac = useApp((state) => state.info?.platform === 'darwin')
  return (
    <>
      <Choice
        label="When the window is closed during transfers"
        value={settings.whenClosed}
        options={CLOSING}
        onChange={(chosen) => set({ whenClosed: chosen })}
      />
      <Choice
        label="Appearance"
        value={settings.appearance}
        options={APPEARANCES}
        onChange={(chosen) => set({ appearance: chosen })}
      />
      <Select
        label={t('settings.language')}
        value={settings.language}
        options={LANGUAGE_CHOICES.map((value) => ({ value, label: t(LANGUAGES[value]) }))}
        onChange={(chosen) => set({ language: chosen })}
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
      <UpdateFields {...{ settings, set }} />
    </>
  )
}

/** Only for a copy that has a server to ask. */
function UpdateFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const host = useUpdates((state) => state.host)
  return host === null ? null : (
    <>
      <Checkbox isSelected={settings.checksForUpdates === true} onChange={(is) => set({ checksForUpdates: is })}>
        {t('settings.checks-for-updates', { host })}
      </Checkbox>
      <Choice
        label={t('settings.update-channel')}
        value={settings.updateChannel}
        options={UPDATE_CHANNELS.map((value) => ({ value, label: t(`settings.update-channel.${value}`) }))}
        onChange={(chosen) => set({ updateChannel: chosen })}
      />
    </>
  )
}
