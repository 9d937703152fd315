import { t } from '../../shared/language/translate.ts'
import type { Place } from '../../shared/place/place.ts'
import { lackWords } from '../../shared/transfer/words/proof-words.ts'
import type { TransferDetails, TransferItems, TransferRow } from '../../shared/transfer/transfer.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import { formatExactBytes } from './format.ts'
import { objectAddress } from './row-words.ts'

/** Everything about a transfer as plain text for a report, without secrets or queries of links. Pure. */
export function detailsText(row: TransferRow, place: Place | null, details: TransferDetails | null): string {
  const lines: readonly (readonly [string, string | number | null])[] = [
    [t('transfer.details.transfer'), `${row.direction} ${row.id}`],
    [t('transfer.details.name'), rowName(row)],
    [t('transfer.details.object'), objectAddress(row, place)],
    [t('transfer.details.endpoint'), place?.endpoint ?? null],
    [t('transfer.details.file'), row.localPath],
    [t('transfer.details.status'), row.status],
    [t('transfer.details.size'), row.sizeBytes === null ? null : formatExactBytes(row.sizeBytes)],
    [t('transfer.details.confirmed'), formatExactBytes(row.confirmedBytes)],
    row.items == null
      ? [unitsOf(row), t('transfer.details.of', { done: row.unitsDone, total: row.unitsTotal })]
      : [t('transfer.details.files'), filesText(row.items)],
    [t('transfer.details.added'), new Date(row.createdAtMs).toISOString()],
    [t('transfer.details.upload-id'), details?.uploadId ?? null],
    ['ETag', details?.etag ?? null],
    [t('transfer.details.verified-by'), row.verification],
    [t('transfer.details.lack'), row.proofLack === undefined ? null : lackWords(row.proofLack)],
    [t('transfer.details.waits-for'), row.wait?.reason ?? null],
    [t('transfer.details.error'), row.error?.code ?? null],
    [t('transfer.details.detail'), row.error?.detail ?? null],
    [t('transfer.details.service-code'), row.error?.serviceCode ?? null],
    [t('transfer.details.http-status'), row.error?.httpStatus ?? null],
    [t('transfer.details.request-id'), row.error?.requestId ?? null],
  ]
  const log = (details?.log ?? []).map(
    ({ atMs, text, requestId, times = 1 }) =>
      `  ${new Date(atMs).toISOString()} ${text}${times > 1 ? ` ${t('transfer.details.times', { times })}` : ''}${requestId === null ? '' : ` [${requestId}]`}`,
  )
  const named = row.items != null && row.items.failed > 0 ? (details?.failures ?? []) : []
  const failures = named.map(({ key, error }) => `  ${key}: ${error.code}, ${error.detail}`)
  const known = lines.filter(([, value]) => value !== null && value !== '')
  return [
    ...known.map(([label, value]) => `${label}: ${String(value)}`),
    ...(failures.length > 0 ? [t('transfer.details.not', { direction: row.direction }), ...failures] : []),
    ...(log.length > 0 ? [t('transfer.details.log'), ...log] : []),
  ].join('\n')
}

function unitsOf({ direction }: TransferRow): string {
  return t('transfer.details.units', { direction })
}

function filesText({ done, total, failed, isCounted }: TransferItems): string {
  const files = t(isCounted ? 'transfer.details.of' : 'transfer.details.of-more', { done, total })
  return failed > 0 ? t('transfer.row.and-failed', { before: files, count: failed }) : files
}
