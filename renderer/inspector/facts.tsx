import type { TransferDetails, TransferRow } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatExactBytes,
  formatMoment,
  formatRate,
} from '../words/format.ts'
import { describeCheck, isFolder } from '../words/row-words.ts'
import { describeExpected, describeFound } from '../words/dispute-words.ts'
import { FactList, type Fact } from '../ui/fact-list.tsx'

/** The facts of a transfer as a list of names and values; those not known yet are left out. */
export function Facts({ row, details }: { readonly row: TransferRow; readonly details: TransferDetails | null }) {
  return <FactList facts={factsOf(row, details)} />
}

function factsOf(row: TransferRow, details: TransferDetails | null): readonly Fact[] {
  const { sizeBytes, error } = row
  const units = row.direction === 'upload' ? 'Parts' : 'Ranges'
  return [
    ...known('Size', sizeBytes, formatBytes, formatExactBytes),
    ...(row.confirmedBytes === sizeBytes || row.status === 'canceled'
      ? []
      : known('Confirmed', row.confirmedBytes, formatBytes, formatExactBytes)),
    ...(row.unitsTotal > 0 ? [{ label: units, value: formatCount(row.unitsTotal) }] : []),
    { label: isFolder(row) ? 'Folder' : 'File', value: visibleText(row.localPath), isLong: true },
    { label: 'Added', value: formatMoment(row.createdAtMs) },
    ...known(row.status === 'completed' ? 'Finished' : 'Stopped', row.finishedAtMs, formatMoment),
    ...(row.activeMs > 0 ? [{ label: 'Active for', value: formatDuration(row.activeMs) }] : []),
    ...known('Limit', row.limitBytesPerSecond, formatRate),
    ...checkOf(row),
    ...code('Upload ID', details?.uploadId ?? null),
    ...code('ETag', details?.etag ?? null),
    ...code('Error', error?.code ?? null),
    ...known('On the server', error?.dispute ?? null, describeFound),
    ...known('Your file', error?.dispute ?? null, describeExpected),
    ...code('Service code', error?.serviceCode ?? null),
    ...code('HTTP status', error?.httpStatus?.toString() ?? null),
    ...code('Request ID', error?.requestId ?? null),
  ]
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
  return [{ label: 'Check', value: describeCheck(verification, proofLack), isLong: true }]
}

function code(label: string, value: string | null): readonly Fact[] {
  return value === null || value === '' ? [] : [{ label, value, isCode: true }]
}
