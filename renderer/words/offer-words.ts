import { t } from '../../shared/language/translate.ts'
import type { UploadCandidate } from '../../shared/ipc/upload-offer.ts'
import { formatMoment } from './format.ts'

// Words for what an unfinished upload has to offer.

/** "Started 12 Nov 2026, 21:04". */
export function describeStart({ startedAtMs }: UploadCandidate): string {
  return startedAtMs === null
    ? t('transfer.offer.started-earlier')
    : t('transfer.offer.started', { moment: formatMoment(startedAtMs) })
}

/** "790 of 1,270 parts on the server". */
export function describeParts({ partsThere, partsTotal }: UploadCandidate): string {
  return t('transfer.offer.parts', { there: partsThere, total: partsTotal })
}

/** "790 of 790 parts match this file", or whatever else can be said about them. */
export function describeProof({ partsThere, partsProven, isProvable }: UploadCandidate): string {
  const others = partsThere - partsProven
  if (partsProven === 0) return t('transfer.offer.no-proof')
  if (others === 0) return t('transfer.offer.all-match', { proven: partsProven, there: partsThere })
  return t(isProvable ? 'transfer.offer.differ' : 'transfer.offer.not-compared', { proven: partsProven, others })
}
