// Shared by the queueing of uploads, downloads and folders.

import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'
import { message, type Message } from '../../../shared/language/message.ts'

export function openRows(engine: Pick<Engine, 'snapshot'>): readonly TransferRow[] {
  return engine.snapshot().rows.filter((row) => !isFinal(row.status))
}

/** Keeps the first few sentences and counts the rest: a person won't read a hundred thousand. */
export function shorten(sentences: readonly Message[]): readonly Message[] {
  const shown = sentences.slice(0, 20)
  const more = sentences.length - shown.length
  return more === 0 ? shown : [...shown, message('services.folder.more', { count: more })]
}
