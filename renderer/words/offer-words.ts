import type { UploadCandidate } from '../../shared/ipc/upload-offer.ts'
import { formatCount, formatMoment, plural } from './format.ts'

/** What an unfinished upload has to offer, in words. Pure. */

/** "Started 12 Nov 2026, 21:04". */
export function describeStart({ startedAtMs }: UploadCandidate): string {
  return startedAtMs === null ? 'Started earlier' : `Started ${formatMoment(startedAtMs)}`
}

/** "790 of 1,270 parts on the server". */
export function describeParts({ partsThere, partsTotal }: UploadCandidate): string {
  return `${formatCount(partsThere)} of ${plural(partsTotal, 'part')} on the server`
}

/** "790 of 790 parts match this file", or what else can be said of them. */
export function describeProof({ partsThere, partsProven, isProvable }: UploadCandidate): string {
  const others = partsThere - partsProven
  if (partsProven === 0) return 'The server can’t prove that these parts belong to this file'
  if (others === 0) return `${formatCount(partsProven)} of ${plural(partsThere, 'part')} match this file`
  const why = isProvable ? 'differ' : 'can’t be compared'
  return `${formatCount(partsProven)} match, ${formatCount(others)} ${why} and will be sent again`
}
