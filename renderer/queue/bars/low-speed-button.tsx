import { Turtle } from 'lucide-react'
import { t } from '../../../shared/language/translate.ts'
import { useApp } from '../../state/app-store.ts'
import { setLowSpeed, usePlans } from '../../state/plans-store.ts'
import { Button } from '../../ui/button.tsx'
import { useSeconds } from '../../ui/hooks/use-time.ts'
import { formatLimit, formatTimeOfDay } from '../../words/format.ts'
import styles from './status-bar.module.css'

/** Turns low speed on and off. While it is on, says so, and until when. */
export function LowSpeedButton() {
  const { isOn, untilMs } = usePlans((plans) => plans.lowSpeed)
  const nowMs = useSeconds(isOn && untilMs !== null)
  const rate = useApp(({ settings }) =>
    Math.min(settings.lowSpeedBytesPerSecond, settings.limitBytesPerSecond ?? Infinity),
  )
  const turtle = <Turtle size={14} aria-hidden />
  if (!isOn) {
    return (
      <Button
        look="quiet"
        label={t('queue.low-speed.title')}
        isPressed={false}
        className={styles['turtle']}
        onPress={() => setLowSpeed(true)}
      >
        {turtle}
      </Button>
    )
  }
  return (
    <Button look="quiet" isPressed className={styles['limit']} onPress={() => setLowSpeed(false)}>
      {turtle}
      <span>
        {untilMs === null
          ? t('queue.low-speed.title')
          : t('queue.low-speed.until', { time: formatTimeOfDay(untilMs, nowMs) })}
        <span className={styles['lowRate']}> · {formatLimit(rate)}</span>
      </span>
    </Button>
  )
}
