import { t } from '../../shared/language/translate.ts'
import type { CertificateFacts, NetworkState } from '../../shared/ipc/network-requests.ts'
import { request } from '../bridge.ts'
import { CertificateDetails } from '../sheet-parts/certificate-facts.tsx'
import { Button } from '../ui/button.tsx'
import { SheetError } from '../ui/overlays/sheet.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import styles from './certificates.module.css'

export interface CertificatesProps {
  readonly state: NetworkState
  readonly onChange: (changed: NetworkState) => void
}

/** Added certificates, and servers that are trusted by their own certificate. Changes here apply at once. */
export function Certificates({ state, onChange }: CertificatesProps) {
  const { isBusy, error, submit } = useSubmit(() => undefined)
  const apply = (change: Promise<NetworkState>): void => submit(() => change.then(onChange))
  return (
    <>
      <div className={styles['section']}>
        <p className={styles['caption']}>
          {t(state.authorities.length === 0 ? 'settings.certificates.none' : 'settings.certificates.added-caption')}
        </p>
        <Button isDisabled={isBusy} onPress={() => apply(request('certificates:add', null))}>
          {t('settings.certificates.add')}
        </Button>
      </div>
      <ul className={styles['list']} aria-label={t('settings.certificates.added')}>
        {state.authorities.map((certificate) => (
          <Item
            key={certificate.fingerprint}
            certificate={certificate}
            onRemove={() => apply(request('certificates:remove', { fingerprint: certificate.fingerprint }))}
          />
        ))}
      </ul>
      {state.servers.length > 0 && <p className={styles['caption']}>{t('settings.certificates.of-servers-caption')}</p>}
      <ul className={styles['list']} aria-label={t('settings.certificates.of-servers')}>
        {state.servers.map(({ host, port, certificate }) => (
          <Item
            key={`${host}:${String(port)}`}
            title={`${host}:${String(port)}`}
            certificate={certificate}
            onRemove={() => apply(request('certificates:distrust', { host, port }))}
          />
        ))}
      </ul>
      <SheetError text={error} />
    </>
  )
}

interface ItemProps {
  readonly title?: string
  readonly certificate: CertificateFacts
  readonly onRemove: () => void
}

function Item({ title, certificate, onRemove }: ItemProps) {
  return (
    <li className={styles['item']}>
      <div className={styles['itemText']}>
        {title !== undefined && <p className={styles['itemTitle']}>{title}</p>}
        <CertificateDetails certificate={certificate} />
      </div>
      <Button onPress={onRemove}>{t('common.remove')}</Button>
    </li>
  )
}
