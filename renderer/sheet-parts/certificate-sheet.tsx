import { useEffect, useState } from 'react'
import { worded } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import { errorOf } from '../../shared/language/worded-error.ts'
import type { CertificateSubject, InspectedServer } from '../../shared/ipc/network-requests.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { retryHeldUp } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { CertificateDetails } from './certificate-facts.tsx'
import styles from './certificate.module.css'

export interface CertificateSheetProps {
  readonly subject: CertificateSubject
  /** Called when a person has decided to trust it. */
  readonly onTrusted?: () => void
  readonly onClose: () => void
}

/** Shows who a server claims to be. A person can trust this one certificate, for this host and port only. */
export function CertificateSheet({ subject, onTrusted, onClose }: CertificateSheetProps) {
  const [server, setServer] = useState<InspectedServer | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const { isBusy, error, submit } = useSubmit(onClose)

  useEffect(() => {
    request('certificates:inspect', subject).then(setServer, (reason: unknown) => {
      setFailure(errorOf(reason, 'sheets.certificate.unseen'))
    })
  }, [subject])

  async function trust({ host, port, certificate }: InspectedServer): Promise<void> {
    await request('certificates:trust', { host, port, fingerprint: certificate.fingerprint })
    retryHeldUp(isUntrusted)
    onTrusted?.()
  }

  const address = server === null ? '' : `${server.host}:${String(server.port)}`
  return (
    <Sheet
      title={server === null ? t('sheets.certificate') : t('sheets.certificate.of', { address })}
      width="wide"
      onClose={onClose}
    >
      <div className={styles['body']}>
        {server === null && failure === null && <p role="status">{t('transfer.row.asking')}</p>}
        {server !== null && (
          <>
            <p>{server.problem === null ? t('sheets.certificate.trusted') : worded(server.problem)}</p>
            <CertificateDetails certificate={server.certificate} />
            {server.canBeTrusted && <p className={styles['caption']}>{t('sheets.certificate.compare', { address })}</p>}
          </>
        )}
        <SheetError text={failure?.message ?? error} />
      </div>
      <SheetButtons>
        {server?.canBeTrusted === true && (
          <Button isDisabled={isBusy} onPress={() => submit(() => trust(server))}>
            {t('sheets.certificate.trust', { address })}
          </Button>
        )}
        <Button takesFocus look="solid" onPress={onClose}>
          {t(server?.canBeTrusted === true ? 'sheets.certificate.dont-trust' : 'common.close')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** The transfers to retry: one whose server still isn’t trusted fails again. */
function isUntrusted({ status, error }: TransferRow): boolean {
  return status === 'failed' && error?.code === 'certificate-untrusted'
}
