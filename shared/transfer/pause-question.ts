import { formatBytes } from '../format/format-amount.ts'
import { t } from '../language/translate.ts'
import { rowName } from './row-name.ts'
import type { TransferRow } from './transfer.ts'

/** Whether a pause would discard bytes: the transfer starts over afterwards, and some have arrived. */
export function losesByPause({ status, keepsNothing, inFlightBytes }: TransferRow): boolean {
  return status === 'transferring' && keepsNothing === true && inFlightBytes > 0
}

/** The question to a person before a pause. */
export interface PauseQuestion {
  readonly title: string
  readonly consequence: string
}

/** The question to ask before these are paused; null if nothing would be lost. Pure. */
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
