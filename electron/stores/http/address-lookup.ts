import * as dns from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * How long one of several addresses may take to accept a connection before the next is tried. Node's default of 250 ms
 * is less than a satellite link needs, so it would give up on every address.
 */
export const ADDRESS_TIMEOUT_MS = 1000

/** What is known of a host's addresses. */
export interface KnownAddress {
  /** The address that accepted the last connection; undefined when none did, or when it is in doubt. */
  address: string | undefined
}

/**
 * Looks a host name up anew for each connection, so a server may move, and puts the address that last worked first, so
 * a dead one is waited for only once.
 */
export function createAddressLookup(known: KnownAddress): LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (failure, addresses) => {
      if (failure !== null) return callback(failure, [])
      const isKnown = ({ address }: dns.LookupAddress): boolean => address === known.address
      callback(null, [...addresses.filter(isKnown), ...addresses.filter((each) => !isKnown(each))])
    })
  }
}
