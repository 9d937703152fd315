import type { RefObject } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { ProxyMode } from '../../shared/ipc/network-requests.ts'
import { useApp } from '../state/app-store.ts'
import { Choice, FieldRow, TextField } from '../ui/fields/fields.tsx'
import { SecretField } from '../ui/fields/secret-field.tsx'
import { unsealedWords } from '../words/keyring-words.ts'
import type { ParsedProxy, ProxyDraft } from './proxy-draft.ts'
import styles from './settings-sheet.module.css'

const MODES: readonly ProxyMode[] = ['system', 'none', 'manual']
const SOME_HOST = 'proxy.example.com'

export interface ProxyFieldsProps {
  readonly draft: ProxyDraft
  readonly errors: ParsedProxy['errors']
  readonly hasPassword: boolean
  readonly password: RefObject<HTMLInputElement | null>
  readonly onChange: (changes: Partial<ProxyDraft>) => void
}

/** Whether connections go through a proxy, and which. */
export function ProxyFields({ draft, errors, hasPassword, password, onChange }: ProxyFieldsProps) {
  const keyring = useApp((state) => state.info?.keyring ?? 'ready')
  return (
    <>
      <Choice
        label={t('settings.proxy')}
        value={draft.mode}
        options={MODES.map((value) => ({ value, label: t(`settings.proxy.${value}`) }))}
        onChange={(mode) => onChange({ mode })}
      />
      {draft.mode === 'manual' && (
        <>
          <div className={styles['hostAndPort']}>
            <TextField
              isCode
              label={t('settings.proxy.host')}
              value={draft.host}
              placeholder={SOME_HOST}
              error={errors.host ?? null}
              onChange={(host) => onChange({ host })}
            />
            <TextField
              isCode
              label={t('settings.proxy.port')}
              value={draft.port}
              error={errors.port ?? null}
              onChange={(port) => onChange({ port })}
            />
          </div>
          <FieldRow>
            <TextField
              label={t('settings.proxy.user')}
              value={draft.user}
              placeholder={t('settings.proxy.no-user')}
              error={errors.user ?? null}
              onChange={(user) => onChange({ user })}
            />
            <SecretField
              label={t('settings.proxy.password')}
              field={password}
              placeholder={hasPassword ? t('settings.proxy.password-unchanged') : ''}
              onChange={() => onChange({})}
            />
          </FieldRow>
          {keyring !== 'ready' && draft.user !== '' && (
            <p className={styles['warning']}>{unsealedWords(keyring, 'password')}</p>
          )}
          <TextField
            isCode
            label={t('settings.proxy.exempt')}
            value={draft.exempt}
            hint={t('settings.proxy.exempt-hint')}
            onChange={(exempt) => onChange({ exempt })}
          />
        </>
      )}
    </>
  )
}
