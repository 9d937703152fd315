import type { RefObject } from 'react'
import { t } from '../../shared/language/translate.ts'
import { isSameAccount, type NetworkState } from '../../shared/ipc/network-requests.ts'
import { Button } from '../ui/button.tsx'
import { Certificates } from './certificates.tsx'
import { parseProxyDraft, type ParsedProxy, type ProxyDraft } from './proxy-draft.ts'
import { ProxyFields } from './proxy-fields.tsx'
import styles from './settings-sheet.module.css'

const NO_PROXY_TYPED: ProxyDraft = { mode: 'system', host: '', port: '8080', user: '', exempt: '' }

export interface NetworkFieldsProps {
  readonly network: NetworkState
  readonly draft: ProxyDraft
  readonly errors: ParsedProxy['errors']
  readonly password: RefObject<HTMLInputElement | null>
  readonly onChange: (draft: ProxyDraft) => void
  readonly onNetwork: (changed: NetworkState) => void
}

/** The proxy, which is saved as a whole, and the trusted certificates. */
export function NetworkFields({ network, draft, errors, password, onChange, onNetwork }: NetworkFieldsProps) {
  const typed = parseProxyDraft(draft).proxy
  const isByDefault = draft.mode === 'system' && draft.host === '' && draft.user === '' && draft.exempt === ''
  return (
    <>
      <ProxyFields
        draft={draft}
        errors={errors}
        password={password}
        hasPassword={network.hasPassword && typed !== null && isSameAccount(typed, network.proxy)}
        onChange={(changes) => onChange({ ...draft, ...changes })}
      />
      <Certificates state={network} onChange={onNetwork} />
      <p className={styles['reset']}>
        <Button isDisabled={isByDefault} onPress={() => onChange(NO_PROXY_TYPED)}>
          {t('settings.proxy.reset')}
        </Button>
      </p>
    </>
  )
}
