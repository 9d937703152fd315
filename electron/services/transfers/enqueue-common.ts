// What queueing uploads, downloads and folders has in common.

import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'
import { t } from '../../../shared/language/translate.ts'

export function openRows(engine: Pick<Engine, 'snapshot'>): readonly TransferRow[] {
  return engine.snapshot().rows.filter((row) => !isFinal(row.status))
}

/** A person reads a few sentences, not a hundred thousand. */
export function shorten(sentences: readonly string[]): readonly string[] {
  const shown = sentences.slice(0, 20)
  const more = sentences.length - shown.length
  return more === 0 ? shown : [...shown, t('services.folder.more', { count: more })]
}
