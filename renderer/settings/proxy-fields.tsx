import type { RefObject } from 'react'
import type { ProxyMode } from '../../shared/ipc/network-requests.ts'
import { useApp } from '../state/app-store.ts'
import { Choice, TextField } from '../ui/fields.tsx'
import { SecretField } from '../ui/secret-field.tsx'
import { unsealedWords } from '../words/keyring-words.ts'
import type { ParsedProxy, ProxyDraft } from './proxy-draft.ts'
import styles from './settings-sheet.module.css'

const MODES: readonly { readonly value: ProxyMode; readonly label: string }[] = [
  { value: 'system', label: 'Use system settings' },
  { value: 'none', label: 'None' },
  { value: 'manual', label: 'Manual' },
]

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
      <Choice label="Proxy" value={draft.mode} options={MODES} onChange={(mode) => onChange({ mode })} />
      {draft.mode === 'manual' && (
        <>
          <div className={styles['hostAndPort']}>
            <TextField
              isCode
              label="Host"
              value={draft.host}
              placeholder="proxy.example.com"
              error={errors.host ?? null}
              onChange={(host) => onChange({ host })}
            />
            <TextField
              isCode
              label="Port"
              value={draft.port}
              error={errors.port ?? null}
              onChange={(port) => onChange({ port })}
            />
          </div>
          <div className={styles['pair']}>
            <TextField
              label="User name"
              value={draft.user}
              placeholder="No sign-in"
              error={errors.user ?? null}
              onChange={(user) => onChange({ user })}
            />
            <SecretField
              label="Password"
              field={password}
              placeholder={hasPassword ? 'Unchanged' : ''}
              onChange={() => onChange({})}
            />
          </div>
          {keyring !== 'ready' && draft.user !== '' && (
            <p className={styles['warning']}>{unsealedWords(keyring, 'password')}</p>
          )}
          <TextField
            isCode
            label="Not for these hosts"
            value={draft.exempt}
            hint="Names, addresses or networks such as 10.0.0.0/8, with commas between them."
            onChange={(exempt) => onChange({ exempt })}
          />
        </>
      )}
    </>
  )
}
