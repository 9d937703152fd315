import { useEffect, useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { useApp } from '../state/app-store.ts'
import { run } from '../state/ui/messages.ts'
import { actOnUpdate, useUpdates } from '../state/update-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { updateStateWords } from '../words/update-words.ts'
import styles from './about-sheet.module.css'

/** The version of Sluice, and the licenses of it and of the software in it. */
export function AboutSheet({ onClose }: { readonly onClose: () => void }) {
  const version = useApp((state) => state.info?.version ?? '')
  const notices = useNotices()
  return (
    <Sheet title={t('app.about.title')} width="wide" onClose={onClose}>
      <p className={styles['version']}>{t('app.about.version', { version })}</p>
      <Updates />
      <p>{t('app.about.what')}</p>
      <p>{t('app.about.license')}</p>
      {notices === null && <p className={styles['quiet']}>{t('app.about.no-notices')}</p>}
      {typeof notices === 'string' && (
        <section aria-label={t('app.about.third-party')}>
          <h3 className={styles['title']}>{t('app.about.third-party')}</h3>
          {/* A scrollable area must be reachable by keyboard. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={styles['notices']} tabIndex={0} aria-label={t('app.about.notices')}>
            {notices}
          </pre>
        </section>
      )}
      <SheetButtons>
        <Button takesFocus look="solid" onPress={onClose}>
          {t('common.done')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** Whether this is the newest version, with a button to check. */
function Updates() {
  const status = useUpdates((state) => state)
  const canCheck = status.host !== null && ['idle', 'newest', 'failed'].includes(status.step.kind)
  return (
    <p className={styles['updates']}>
      <span role="status">{updateStateWords(status)}</span>
      {canCheck && <Button onPress={() => actOnUpdate('check')}>{t('app.update.check-now')}</Button>}
    </p>
  )
}

/** The license notices. Null: there are none; undefined: not read yet. */
function useNotices(): string | null | undefined {
  const [notices, setNotices] = useState<string | null>()
  useEffect(() => run(request('app:licenses', null).then(setNotices)), [])
  return notices
}
