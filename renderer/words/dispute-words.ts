import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { ObjectDispute } from '../../shared/transfer/transfer-error.ts'
import { formatExactBytes, formatMoment } from './format.ts'

/** The object that the server has at the key, as far as the server says. */
export function describeFound({ found }: ObjectDispute): string {
  if (found === null) return t('transfer.dispute.not-told')
  const modifiedMs = Date.parse(found.lastModified ?? '')
  const modified = Number.isNaN(modifiedMs) ? '' : t('transfer.dispute.modified', { moment: formatMoment(modifiedMs) })
  return joined(...sizeAndEtag(found), modified)
}

/** The object that the upload was to make. */
export function describeExpected({ expected }: ObjectDispute): string {
  return joined(...sizeAndEtag(expected))
}

function sizeAndEtag({ sizeBytes, etag }: ObjectDispute['expected']): readonly string[] {
  return [
    sizeBytes === null ? t('transfer.dispute.no-size') : formatExactBytes(sizeBytes),
    etag === null ? t('transfer.dispute.no-etag') : `ETag ${etag.replaceAll('"', '')}`,
  ]
}
