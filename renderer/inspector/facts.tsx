import { t } from '../../shared/language/translate.ts'
import type { TransferDetails, TransferRow } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { copyFact } from '../actions/report.ts'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatExactBytes,
  formatLimit,
  formatMoment,
} from '../words/format.ts'
import { describeCheck } from '../../shared/transfer/words/proof-words.ts'
import { isFolder } from '../words/row-words.ts'
import { describeExpected, describeFound } from '../words/dispute-words.ts'
import { FactList, type Fact } from '../ui/fact-list.tsx'

/** The facts of a transfer as a list of names and values, without those not known yet. */
export function Facts({ row, details }: { readonly row: TransferRow; readonly details: TransferDetails | null }) {
  return <FactList facts={factsOf(row, details)} />
}

function factsOf(row: TransferRow, details: TransferDetails | null): readonly Fact[] {
  const { sizeBytes, error } = row
  const units = t('inspector.units', { direction: row.direction })
  return [
    ...known(t('inspector.fact.size'), sizeBytes, formatBytes, formatExactBytes),
    ...(row.confirmedBytes === sizeBytes || row.status === 'canceled' || row.keepsNothing === true
      ? []
      : known(t('inspector.fact.confirmed'), row.confirmedBytes, formatBytes, formatExactBytes)),
    ...(isSending(row) ? known(t('inspector.fact.under-way'), row.inFlightBytes, formatBytes, formatExactBytes) : []),
    ...(row.unitsTotal > 0 ? [{ label: units, value: formatCount(row.unitsTotal) }] : []),
    {
      label: t(isFolder(row) ? 'inspector.fact.folder' : 'inspector.fact.file'),
      value: visibleText(row.localPath),
      isLong: true,
    },
    { label: t('inspector.fact.added'), value: formatMoment(row.createdAtMs) },
    // Those with buttons come before those that come and go, which would move the buttons under the pointer.
    ...copied(() => t('inspector.fact.upload-id'), details?.uploadId ?? null),
    ...copied(() => 'ETag', details?.etag ?? null),
    ...known(
      t(row.status === 'completed' ? 'inspector.fact.finished' : 'inspector.fact.stopped'),
      row.finishedAtMs,
      formatMoment,
    ),
    ...(row.activeMs > 0 ? [{ label: t('inspector.fact.active-for'), value: formatDuration(row.activeMs) }] : []),
    ...known(t('inspector.fact.limit'), row.limitBytesPerSecond, formatLimit),
    ...checkOf(row),
    ...code(t('inspector.fact.error'), error?.code ?? null),
    ...known(t('inspector.fact.there'), error?.dispute ?? null, describeFound),
    ...known(t('inspector.fact.yours'), error?.dispute ?? null, describeExpected),
    ...code(t('inspector.fact.service-code'), error?.serviceCode ?? null),
    ...code(t('inspector.fact.http-status'), error?.httpStatus?.toString() ?? null),
    ...copied(() => t('inspector.fact.request-id'), error?.requestId ?? null),
  ]
}

/**
 * Whether parts may be on their way that the service hasn't confirmed yet, also during a wait, so that the fact stays in
 * its place. What arrives here is confirmed at once.
 */
function isSending({ direction, status, sizeBytes }: TransferRow): boolean {
  const isUnderWay = status === 'transferring' || status === 'waiting' || status === 'pausing'
  return direction === 'upload' && isUnderWay && sizeBytes !== null
}

function known<Value>(
  label: string,
  value: Value | null,
  format: (value: Value) => string,
  formatTitle = format,
): readonly Fact[] {
  return value === null ? [] : [{ label, value: format(value), title: formatTitle(value) }]
}

function checkOf({ verification, proofLack }: TransferRow): readonly Fact[] {
  if (verification === null) return []
  return [{ label: t('inspector.fact.check'), value: describeCheck(verification, proofLack), isLong: true }]
}

/** A value that a person may have to quote. */
function copied(label: () => string, value: string | null): readonly Fact[] {
  return code(label(), value).map((fact) => ({ ...fact, onCopy: () => copyFact(label, fact.value) }))
}

function code(label: string, value: string | null): readonly Fact[] {
  return value === null || value === '' ? [] : [{ label, value, isCode: true }]
}
