import { t } from '../../shared/language/translate.ts'
import { APPEARANCES, LANGUAGE_CHOICES, UNIT_CHOICES, UPDATE_CHANNELS, WHEN_CLOSED } from '../../shared/settings.ts'
import { useApp } from '../state/app-store.ts'
import { useUpdates } from '../state/update-store.ts'
import { Checkbox, Choice } from '../ui/fields/fields.tsx'
import { Select } from '../ui/fields/select.tsx'
import styles from './settings-sheet.module.css'
import type { SettingsEditor } from './use-settings.ts'

/** Each language is named in that language. */
const LANGUAGES = {
  system: 'settings.language-system',
  en: 'settings.language.en',
  'zh-CN': 'settings.language.zh-CN',
} as const

/** Settings of the window, the tray, notifications and updates. */
export function GeneralFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const isMac = useApp((state) => state.info?.platform === 'darwin')
  return (
    <>
      <Choice
        label={t('settings.when-closed')}
        value={settings.whenClosed}
        options={WHEN_CLOSED.map((value) => ({
          value,
          label: t(`settings.when-closed.${value}`),
          detail: t(`settings.when-closed.${value}-detail`),
        }))}
        onChange={(chosen) => set({ whenClosed: chosen })}
      />
      <Choice
        label={t('settings.appearance')}
        value={settings.appearance}
        options={APPEARANCES.map((value) => ({ value, label: t(`settings.appearance.${value}`) }))}
        onChange={(chosen) => set({ appearance: chosen })}
      />
      <Select
        label={t('settings.language')}
        value={settings.language}
        options={LANGUAGE_CHOICES.map((value) => ({ value, label: t(LANGUAGES[value]) }))}
        onChange={(chosen) => set({ language: chosen })}
      />
      <Select
        label={t('settings.units')}
        value={settings.units}
        options={UNIT_CHOICES.map((value) => ({ value, label: t(`settings.units.${value}`) }))}
        onChange={(chosen) => set({ units: chosen })}
      />
      <div className={styles['group']}>
        <Checkbox isSelected={settings.showsTray} onChange={(is) => set({ showsTray: is })}>
          {t(isMac ? 'settings.tray.menu-bar' : 'settings.tray.notification-area')}
        </Checkbox>
        <Checkbox isSelected={settings.opensAtLogin} onChange={(is) => set({ opensAtLogin: is })}>
          {t('settings.opens-at-login')}
        </Checkbox>
      </div>
      <div role="group" aria-label={t('settings.notifications')} className={styles['group']}>
        <span className={styles['caption']}>{t('settings.notifications.when')}</span>
        <Checkbox isSelected={settings.notifiesDone} onChange={(is) => set({ notifiesDone: is })}>
          {t('settings.notifications.done')}
        </Checkbox>
        <Checkbox isSelected={settings.notifiesAttention} onChange={(is) => set({ notifiesAttention: is })}>
          {t('settings.notifications.attention')}
        </Checkbox>
      </div>
      <UpdateFields {...{ settings, set }} />
    </>
  )
}

/** The settings of updates, shown only if this copy has an update server. */
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
