// The query of a link is as good as a password: it is sealed before a record is stored, and opened when it is read.

import { isFinal } from '../../../../shared/transfer/transfer.ts'
import type { StoreLocation, TransferRecord } from '../../core/records.ts'

/** Seals text that only this person can open again. Null means that it can't now, or not here. */
export interface Sealer {
  seal(text: string): string | null
  open(sealed: string): string | null
}

/** For when there is no keyring. */
export const NO_SEALER: Sealer = { seal: () => null, open: () => null }

/** Separates the address that anybody may read from the sealed link. As a fragment it never gets into a request. */
const SEALED = '#sealed='

type Located = Pick<TransferRecord, 'location' | 'status'>
type LinkLocation = Extract<StoreLocation, { kind: 'link' }>

/**
 * Returns a record as it is kept. The query of a link is enough to download with, so it is sealed where possible. Once
 * the transfer is over, the query is left out, as is a sign-in.
 */
export function sealRecord<Record extends Located>(record: Record, sealer: Sealer): Record {
  const { location } = record
  if (location.kind === 'place') return record
  return isFinal(record.status)
    ? relocated(record, { kind: 'link', url: bareLink(location.url) })
    : relocated(record, { ...location, url: sealLink(location.url, sealer) })
}

/** Returns a record as it is used. A link that can't be opened stays sealed: requests open it later, or aren't sent. */
export function openRecord<Record extends Located>(record: Record, sealer: Sealer): Record {
  const { location } = record
  if (location.kind === 'place') return record
  return relocated(record, { ...location, url: openLink(location.url, sealer) ?? location.url })
}

/** Returns a link as it was given; null when it is sealed and can't be opened now. */
export function openLink(url: string, sealer: Pick<Sealer, 'open'>): string | null {
  const at = url.indexOf(SEALED)
  return at < 0 ? url : sealer.open(url.slice(at + SEALED.length))
}

/** Returns the record with `location`; the same object if nothing changes. */
function relocated<Record extends Located>(record: Record, location: LinkLocation): Record {
  const before = record.location
  const isSame = before.kind === 'link' && before.url === location.url && before.signIn === location.signIn
  return isSame ? record : { ...record, location }
}

function sealLink(url: string, sealer: Sealer): string {
  const bare = bareLink(url)
  const sealed = url === bare || url.includes(SEALED) ? null : sealer.seal(url)
  return sealed === null ? url : bare + SEALED + sealed
}

/** Scheme, host and path. */
function bareLink(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.replace(/^(https?:\/\/)[^/]*@/i, '$1')
}
