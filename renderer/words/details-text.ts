import type { Place } from '../../shared/place/place.ts'
import { lackWords } from '../../shared/transfer/proof-words.ts'
import type { TransferDetails, TransferItems, TransferRow } from '../../shared/transfer/transfer.ts'
import { formatExactBytes } from './format.ts'
import { objectAddress } from './row-words.ts'

/** Everything about a transfer as plain text, for a report: no secrets are in it, links have no query. Pure. */
export function detailsText(row: TransferRow, place: Place | null, details: TransferDetails | null): string {
  const lines: readonly (readonly [string, string | number | null])[] = [
    ['Transfer', `${row.direction} ${row.id}`],
    ['Name', row.name],
    ['Object', objectAddress(row, place)],
    ['Endpoint', place?.endpoint ?? null],
    ['File', row.localPath],
    ['Status', row.status],
    ['Size', row.sizeBytes === null ? null : formatExactBytes(row.sizeBytes)],
    ['Confirmed', formatExactBytes(row.confirmedBytes)],
    row.items == null
      ? [unitsOf(row), `${String(row.unitsDone)} of ${String(row.unitsTotal)}`]
      : ['Files', filesText(row.items)],
    ['Added', new Date(row.createdAtMs).toISOString()],
    ['Upload id', details?.uploadId ?? null],
    ['ETag', details?.etag ?? null],
    ['Verified by', row.verification],
    ['Not more because', row.proofLack === undefined ? null : lackWords(row.proofLack)],
    ['Waits for', row.wait?.reason ?? null],
    ['Error', row.error?.code ?? null],
    ['Detail', row.error?.detail ?? null],
    ['Service code', row.error?.serviceCode ?? null],
    ['HTTP status', row.error?.httpStatus ?? null],
    ['Request id', row.error?.requestId ?? null],
  ]
  const log = (details?.log ?? []).map(
    ({ atMs, text, requestId, times = 1 }) =>
      `  ${new Date(atMs).toISOString()} ${text}${times > 1 ? ` (${String(times)} times)` : ''}${requestId === null ? '' : ` [${requestId}]`}`,
  )
  const named = row.items != null && row.items.failed > 0 ? (details?.failures ?? []) : []
  const failures = named.map(({ key, error }) => `  ${key}: ${error.code}, ${error.detail}`)
  const known = lines.filter(([, value]) => value !== null && value !== '')
  return [
    ...known.map(([label, value]) => `${label}: ${String(value)}`),
    ...(failures.length > 0 ? [row.direction === 'upload' ? 'Not uploaded:' : 'Not downloaded:', ...failures] : []),
    ...(log.length > 0 ? ['Log:', ...log] : []),
  ].join('\n')
}

function unitsOf({ direction }: TransferRow): string {
  return direction === 'upload' ? 'Parts' : 'Ranges'
}

function filesText({ done, total, failed, isCounted }: TransferItems): string {
  const sum = `${String(done)} of ${String(total)}${isCounted ? '' : ' or more'}`
  return failed > 0 ? `${sum}, ${String(failed)} failed` : sum
}
