import { formatBytes } from '../format-amount.ts'
import { t } from '../language/translate.ts'
import { losesByPause } from './loses-by-pause.ts'
import { rowName } from './row-name.ts'
import type { TransferRow } from './transfer.ts'

/** What a person is asked before a pause. */
export interface PauseQuestion {
  readonly title: string
  readonly consequence: string
}

/** What to ask before these are paused; null: nothing is lost by it, and nothing is asked. Pure. */
export function pauseQuestion(rows: readonly TransferRow[]): PauseQuestion | null {
  const losing = rows.filter(losesByPause)
  const [first] = losing
  if (first === undefined) return null
  const count = losing.length
  const amount = formatBytes(losing.reduce((sum, { inFlightBytes }) => sum + inFlightBytes, 0))
  return {
    title: t('commands.pause.title', { count, name: rowName(first) }),
    consequence: t('commands.pause.consequence', { count, amount }),
  }
}
