import type { RefObject } from 'react'
import { t } from '../../shared/language/translate.ts'
import { isSameAccount, type NetworkState } from '../../shared/ipc/network-requests.ts'
import { Button } from '../ui/button.tsx'
import { Certificates } from './certificates.tsx'
import {
  DEFAULT_PROXY_DRAFT,
  isDefaultProxy,
  parseProxyDraft,
  type ParsedProxy,
  type ProxyDraft,
} from './proxy-draft.ts'
import { ProxyFields } from './proxy-fields.tsx'
import styles from './settings-sheet.module.css'

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
        <Button isDisabled={isDefaultProxy(draft)} onPress={() => onChange(DEFAULT_PROXY_DRAFT)}>
          {t('settings.proxy.reset')}
        </Button>
      </p>
    </>
  )
}
