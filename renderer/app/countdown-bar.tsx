import { sentences } from '../../shared/language/sentences.ts'
import { t } from '../../shared/language/translate.ts'
import type { WhenDoneCountdown } from '../../shared/ipc/desktop-requests.ts'
import { cancelWhenDone, usePlans } from '../state/plans-store.ts'
import { Button } from '../ui/button.tsx'
import { useSeconds } from '../ui/hooks/use-time.ts'
import { formatCountdown } from '../words/format.ts'
import styles from './app.module.css'

const MINUTE_MS = 60_000

/** Says that the computer is about to sleep, or the app about to quit. */
export function CountdownBar() {
  const countdown = usePlans((plans) => plans.countdown)
  return countdown === null ? null : (
    <div className={styles['notice']}>
      <span>
        <span role="alert">{whatHappens(countdown)}</span> <Left endsAtMs={countdown.endsAtMs} />
      </span>
      <Button onPress={cancelWhenDone}>{t('common.cancel')}</Button>
    </div>
  )
}

/** The time left. Hidden from screen readers, which would announce every second. */
function Left({ endsAtMs }: { readonly endsAtMs: number }) {
  const nowMs = useSeconds(true)
  return (
    <span aria-hidden className={styles['left']}>
      {formatCountdown(Math.min(MINUTE_MS, endsAtMs - nowMs))}
    </span>
  )
}

function whatHappens({ what, attention }: WhenDoneCountdown): string {
  const done = attention === 0 ? t('app.all-done') : t('app.others-done', { count: attention })
  return sentences([done, t(`app.about-to-${what}`)])
}
