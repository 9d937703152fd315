import { X } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import type { UpdateStep } from '../../shared/ipc/update-status.ts'
import { useApp } from '../state/app-store.ts'
import { cancelWhenDone, usePlans } from '../state/plans-store.ts'
import { useTotals } from '../state/selectors.ts'
import { actOnUpdate, answerConsent, dismissUpdate, updateWhenDone, useUpdates } from '../state/update-store.ts'
import { Button } from '../ui/button.tsx'
import { updateWords } from '../words/update-words.ts'
import styles from './app.module.css'

/** Says unobtrusively what is known about newer versions, and asks once whether to check for them. */
export function UpdateBar() {
  const status = useUpdates((state) => state)
  const version = useApp((state) => state.info?.version ?? '')
  const isDeferred = usePlans((plans) => plans.whenDone === 'update')
  const words = updateWords(status, version)
  if (status.asksConsent && words === null) return <ConsentBar host={status.host ?? ''} />
  if (words === null || status.isDismissed) return null
  return (
    <div className={styles['notice']}>
      <span role="status">{isDeferred ? t('app.update.deferred', { words }) : words}</span>
      <span className={styles['choices']}>
        <Choices step={status.step} installs={status.installs} isDeferred={isDeferred} />
        {status.step.kind !== 'downloading' && status.step.kind !== 'checking' && (
          <Button look="quiet" label={t('app.dismiss')} onPress={dismissUpdate}>
            <X size={14} aria-hidden />
          </Button>
        )}
      </span>
    </div>
  )
}

function ConsentBar({ host }: { readonly host: string }) {
  return (
    <div className={styles['notice']}>
      <span>{t('app.update.consent', { host })}</span>
      <span className={styles['choices']}>
        <Button onPress={() => answerConsent(true)}>{t('app.update.agree')}</Button>
        <Button onPress={() => answerConsent(false)}>{t('app.update.refuse')}</Button>
      </span>
    </div>
  )
}

interface ChoicesProps {
  readonly step: UpdateStep
  readonly installs: boolean
  readonly isDeferred: boolean
}

function Choices({ step, installs, isDeferred }: ChoicesProps) {
  const { counts } = useTotals()
  const isBusy = counts.active + counts.waiting > 0
  switch (step.kind) {
    case 'offered':
      return installs ? <Button onPress={() => actOnUpdate('download')}>{t('app.update.download')}</Button> : null
    case 'downloading':
      return <Button onPress={() => actOnUpdate('stop')}>{t('common.cancel')}</Button>
    case 'ready':
      return (
        <>
          {isDeferred && <Button onPress={cancelWhenDone}>{t('app.update.not-yet')}</Button>}
          {isBusy && !isDeferred && <Button onPress={updateWhenDone}>{t('app.update.when-done')}</Button>}
          <Button onPress={() => actOnUpdate('restart')}>{t('app.update.restart')}</Button>
        </>
      )
    case 'failed':
      return (
        <Button onPress={() => actOnUpdate(step.version === null ? 'check' : 'download')}>
          {t('app.update.again')}
        </Button>
      )
    default:
      return null
  }
}
