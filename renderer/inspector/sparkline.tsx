import { t } from '../../shared/language/translate.ts'
import type { SpeedHistory, TransferRow } from '../../shared/transfer/transfer.ts'
import { formatDuration, formatRate } from '../words/format.ts'
import { useApp } from '../state/app-store.ts'
import { niceCeiling, sparklinePaths } from './sparkline-path.ts'
import styles from './sparkline.module.css'

const WIDTH = 268
const HEIGHT = 48
/** The number of samples in the last minute. */
const SLOTS = 60

export interface SparklineProps {
  readonly row: Pick<TransferRow, 'status' | 'bytesPerSecond' | 'activeMs'>
  readonly speed: SpeedHistory
  /** The peak of its whole life, which the samples don't show because each is a mean. */
  readonly peakBytesPerSecond: number
}

/**
 * The speed of the last minute while bytes move, afterwards that of its whole life. Gaps are times when nothing was to
 * move; the dashed line is the limit.
 */
export function Sparkline({ row, speed, peakBytesPerSecond }: SparklineProps) {
  const limit = useApp((state) => state.settings.limitBytesPerSecond)
  const isMoving = row.status === 'transferring'
  const samples = isMoving ? speed.recent : speed.life
  // A single point makes no line.
  if (!isMoving && samples.length < 2) return null
  const peak = samples.reduce<number>((most, sample) => Math.max(most, sample ?? 0), 0)
  const max = niceCeiling(peak)
  const { line, area } = sparklinePaths(samples, isMoving ? SLOTS : samples.length, max, WIDTH, HEIGHT)
  const limitY = !isMoving || limit === null || limit > max ? null : HEIGHT - (limit / max) * HEIGHT
  const label = isMoving
    ? t('inspector.speed.recent', { rate: formatRate(row.bytesPerSecond), peak: formatRate(peak) })
    : t('inspector.speed.life', { time: formatDuration(row.activeMs), peak: formatRate(peakBytesPerSecond) })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${String(WIDTH)} ${String(HEIGHT + 2)}`}
      className={styles['chart']}
    >
      <path d={area} className={styles['area']} />
      <path d={line} className={styles['line']} />
      {limitY !== null && <path d={`M0 ${String(limitY)}H${String(WIDTH)}`} className={styles['limit']} />}
      <path d={`M0 ${String(HEIGHT)}H${String(WIDTH)}`} className={styles['base']} />
    </svg>
  )
}
