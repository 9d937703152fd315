// Queries of links are passwords: they are sealed before a record is stored, and opened when it is read.

import { isFinal } from '../../../../shared/transfer/transfer.ts'
import type { StoreLocation, TransferRecord } from '../../core/records.ts'

/** Seals text so that only this person can open it again. Null: not now, or not here. */
export interface Sealer {
  seal(text: string): string | null
  open(sealed: string): string | null
}

/** Where there is no keyring. */
export const NO_SEALER: Sealer = { seal: () => null, open: () => null }

/** Parts the address that everybody may read from the sealed link. No request carries a fragment. */
const SEALED = '#sealed='

type Located = Pick<TransferRecord, 'location' | 'status'>
type LinkLocation = Extract<StoreLocation, { kind: 'link' }>

/**
 * A record as it is kept. The query of a link is enough to download with: it is sealed where that can be done,
 * and left out once the transfer is over, as is a sign-in.
 */
export function sealRecord<Record extends Located>(record: Record, sealer: Sealer): Record {
  const { location } = record
  if (location.kind === 'place') return record
  return isFinal(record.status)
    ? relocated(record, { kind: 'link', url: bareLink(location.url) })
    : relocated(record, { ...location, url: sealLink(location.url, sealer) })
}

/** A record as it is used. A link that can't be opened stays sealed: what asks for it opens it, or asks for nothing. */
export function openRecord<Record extends Located>(record: Record, sealer: Sealer): Record {
  const { location } = record
  if (location.kind === 'place') return record
  return relocated(record, { ...location, url: openLink(location.url, sealer) ?? location.url })
}

/** A link as it was given; null: it is sealed, and can't be opened now. */
export function openLink(url: string, sealer: Pick<Sealer, 'open'>): string | null {
  const at = url.indexOf(SEALED)
  return at < 0 ? url : sealer.open(url.slice(at + SEALED.length))
}

/** The same record where nothing changes. */
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
