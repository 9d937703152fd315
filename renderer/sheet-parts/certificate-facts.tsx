import type { CertificateFacts } from '../../shared/ipc/network-requests.ts'
import { visibleText } from '../../shared/visible-text.ts'
import styles from './certificate.module.css'

/** What a person compares a certificate by. */
export function CertificateDetails({ certificate }: { readonly certificate: CertificateFacts }) {
  const { subject, issuer, fingerprint, validFrom, validTo } = certificate
  return (
    <dl className={styles['facts']}>
      <dt>Issued to</dt>
      <dd>{visibleText(subject)}</dd>
      <dt>Issued by</dt>
      <dd>{visibleText(issuer)}</dd>
      <dt>Valid</dt>
      <dd>
        {dayOf(validFrom)} to {dayOf(validTo)}
      </dd>
      <dt>SHA-256</dt>
      <dd className={styles['fingerprint']}>{fingerprint}</dd>
    </dl>
  )
}

/** `Nov 21 07:57:32 2026 GMT` without its time. */
function dayOf(date: string): string {
  const [month = '', day = '', , year = ''] = date.split(/\s+/)
  return `${day} ${month} ${year}`
}
