import type { CertificateFacts } from '../../shared/ipc/network-requests.ts'
import { localDay } from '../../shared/language/locale.ts'
import { t } from '../../shared/language/translate.ts'
import { visibleText } from '../../shared/visible-text.ts'
import styles from './certificate.module.css'

const FINGERPRINT_BY = 'SHA-256'

/** The facts by which a person compares certificates. */
export function CertificateDetails({ certificate }: { readonly certificate: CertificateFacts }) {
  const { subject, issuer, fingerprint, validFrom, validTo } = certificate
  return (
    <dl className={styles['facts']}>
      <dt>{t('sheets.certificate.issued-to')}</dt>
      <dd>{visibleText(subject)}</dd>
      <dt>{t('sheets.certificate.issued-by')}</dt>
      <dd>{visibleText(issuer)}</dd>
      <dt>{t('sheets.certificate.valid')}</dt>
      <dd>{t('sheets.certificate.from-to', { from: dayOf(validFrom), to: dayOf(validTo) })}</dd>
      <dt>{FINGERPRINT_BY}</dt>
      <dd className={styles['fingerprint']}>{fingerprint}</dd>
    </dl>
  )
}

/** The day of `Nov 21 07:57:32 2026 GMT`. */
function dayOf(date: string): string {
  const atMs = Date.parse(date)
  return Number.isNaN(atMs) ? date : localDay(atMs)
}
