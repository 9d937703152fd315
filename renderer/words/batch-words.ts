import { formatBytes, formatDuration } from '../../shared/format/format-amount.ts'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { spanOf } from '../../shared/transfer/span-of.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'

/** How many transfers of a batch ended in which way. */
export interface BatchCounts {
  readonly uploaded: number
  readonly downloaded: number
  readonly failed: number
}

/** "12 uploaded · 1 failed · 38.2 MB in 12 s". `done` holds those that did not fail and are still listed. */
export function batchWords(
  counts: BatchCounts,
  done: readonly Pick<TransferRow, 'confirmedBytes' | 'activeMs' | 'finishedAtMs'>[],
): string {
  const { uploaded, downloaded, failed } = counts
  return joined(
    uploaded > 0 ? t('transfer.batch.uploaded', { count: uploaded }) : '',
    downloaded > 0 ? t('transfer.batch.downloaded', { count: downloaded }) : '',
    failed > 0 ? t('transfer.batch.failed', { count: failed }) : '',
    amountOf(done),
  )
}

function amountOf(done: Parameters<typeof batchWords>[1]): string {
  if (done.length === 0) return ''
  const size = formatBytes(done.reduce((sum, { confirmedBytes }) => sum + confirmedBytes, 0))
  return t('transfer.row.in-time', { size, time: formatDuration(spanOf(done)) })
}
