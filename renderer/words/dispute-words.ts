import type { ObjectDispute } from '../../shared/transfer/transfer-error.ts'
import { formatExactBytes, formatMoment } from './format.ts'

/** What is at the name on the server, as far as it tells. */
export function describeFound({ found }: ObjectDispute): string {
  if (found === null) return 'The server doesn’t let us look'
  const modifiedMs = Date.parse(found.lastModified ?? '')
  return [...sizeAndEtag(found), ...(Number.isNaN(modifiedMs) ? [] : [`modified ${formatMoment(modifiedMs)}`])].join(
    ' · ',
  )
}

/** What the upload was to make of the file. */
export function describeExpected({ expected }: ObjectDispute): string {
  return sizeAndEtag(expected).join(' · ')
}

function sizeAndEtag({ sizeBytes, etag }: ObjectDispute['expected']): readonly string[] {
  return [
    sizeBytes === null ? 'size not known' : formatExactBytes(sizeBytes),
    etag === null ? 'no ETag' : `ETag ${etag.replaceAll('"', '')}`,
  ]
}
