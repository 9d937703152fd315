import { useEffect, useRef } from 'react'
import { t } from '../../../shared/language/translate.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { rowName } from '../../../shared/transfer/row-name.ts'
import { percentOf } from '../../words/format.ts'
import { shownBytes, speakProgress, wholeSize } from '../../words/row-words.ts'
import { liveRow, queueStore } from '../../state/queue/queue-store.ts'
import { cx } from '../../ui/cx.ts'
import styles from './progress-bar.module.css'

/**
 * A row's bar: confirmed bytes at full height, bytes on their way thinner. It follows every delta without a React
 * render; its spoken value changes with the row's words, at most four times a second.
 */
export function ProgressBar({ row }: { readonly row: TransferRow }) {
  const confirmed = useRef<HTMLSpanElement>(null)
  const inFlight = useRef<HTMLSpanElement>(null)
  const { id } = row

  useEffect(() => {
    let drawn: TransferRow | undefined
    function draw(): void {
      const current = liveRow(id)
      if (current === drawn || current === undefined) return
      drawn = current
      const { solid, moving } = fractions(current)
      if (confirmed.current !== null) confirmed.current.style.transform = `scaleX(${solid.toFixed(5)})`
      if (inFlight.current !== null) {
        inFlight.current.style.transform = `translateX(${(solid * 100).toFixed(3)}%) scaleX(${moving.toFixed(5)})`
      }
    }
    draw()
    return queueStore.subscribe(draw)
  }, [id])

  const percent = percentOf(shownBytes(row), wholeSize(row))
  return (
    <div
      role="progressbar"
      aria-label={t('queue.row.progress', { name: rowName(row) })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={speakProgress(row)}
      className={cx(styles['bar'], styles[toneOf(row)])}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
    >
      <span ref={inFlight} className={styles['inFlight']} />
      <span ref={confirmed} className={styles['confirmed']} />
    </div>
  )
}

function fractions(row: TransferRow) {
  const { confirmedBytes, inFlightBytes, status } = row
  const sizeBytes = wholeSize(row)
  if (status === 'completing') return { solid: 1, moving: 0 }
  if (sizeBytes === null || sizeBytes === 0) return { solid: 0, moving: 0 }
  const solid = Math.min(1, confirmedBytes / sizeBytes)
  return { solid, moving: Math.min(1 - solid, inFlightBytes / sizeBytes) }
}

/** The accent color means that bytes move; everything at rest is gray. */
function toneOf({ status }: TransferRow): 'moving' | 'thin' | 'resting' {
  if (status === 'transferring' || status === 'completing') return 'moving'
  return status === 'preparing' || status === 'verifying' ? 'thin' : 'resting'
}
