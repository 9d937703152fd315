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
  /** The address that last accepted a connection and then did not answer. */
  doubted?: string | undefined
}

/**
 * Looks a host name up anew for each connection, so a server may move, and puts the address that last worked first, so
 * a dead one is waited for only once. One that accepts connections and says nothing, like a server that hangs behind its
 * balancer, comes last.
 */
export function createAddressLookup(known: KnownAddress, lookup: typeof dns.lookup = dns.lookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (failure, addresses) => {
      if (failure !== null) return callback(failure, [])
      const rankOf = ({ address }: dns.LookupAddress): number =>
        address === known.address ? 0 : address === known.doubted ? 2 : 1
      callback(
        null,
        addresses.toSorted((one, other) => rankOf(one) - rankOf(other)),
      )
    })
  }
}
