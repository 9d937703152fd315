import { formatRate } from '../words/format.ts'
import { useApp } from '../state/app-store.ts'
import { useDetails } from '../state/details-store.ts'
import { niceCeiling, sparklinePaths } from './sparkline-path.ts'
import styles from './sparkline.module.css'

const WIDTH = 268
const HEIGHT = 48
const SLOTS = 60

/** The last minute's speed. Gaps are times when nothing was to move; the dashed line is the limit. */
export function Sparkline({ currentRate }: { readonly currentRate: number }) {
  const samples = useDetails((state) => state.samples)
  const limit = useApp((state) => state.settings.limitBytesPerSecond)
  const peak = samples.reduce<number>((most, sample) => Math.max(most, sample ?? 0), 0)
  const max = niceCeiling(peak)
  const { line, area } = sparklinePaths(samples, SLOTS, max, WIDTH, HEIGHT)
  const limitY = limit === null || limit > max ? null : HEIGHT - (limit / max) * HEIGHT
  return (
    <svg
      role="img"
      aria-label={`Speed in the last minute: now ${formatRate(currentRate)}, at most ${formatRate(peak)}`}
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
