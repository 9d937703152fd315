import * as dns from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * How long one address of several may take to accept a connection before the next is tried. Node's own 250 ms are less
 * than a satellite needs, and every address is given up that way.
 */
export const ADDRESS_TIMEOUT_MS = 1000

/** What is known of the addresses of a host. */
export interface KnownAddress {
  /** The one that accepted the last connection; undefined: none did, or it is in doubt. */
  address: string | undefined
}

/**
 * Looks a host name up for each connection anew, so that a server may move, and puts the address that is known to work
 * first, so that a dead one is waited for only once.
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
