import type * as dns from 'node:dns'
import { expect, test } from 'vitest'
import { createAddressLookup, type KnownAddress } from '../../../electron/stores/http/address-lookup.ts'

const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => ({ address, family: 4 }))

/** The addresses of a host that has three, in the order in which they are tried. */
function orderFor(known: KnownAddress): readonly string[] {
  const answers = ((_host: string, _options: unknown, callback: (failure: null, found: typeof ADDRESSES) => void) =>
    callback(null, ADDRESSES)) as unknown as typeof dns.lookup
  let order: readonly string[] = []
  createAddressLookup(known, answers)('s3.example.com', {}, (_failure, found) => {
    order = (found as dns.LookupAddress[]).map(({ address }) => address)
  })
  return order
}

test.each([
  ['as the name server gives them', {}, ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
  ['the one that last worked first', { address: '192.0.2.3' }, ['192.0.2.3', '192.0.2.1', '192.0.2.2']],
  ['the one that did not answer last', { doubted: '192.0.2.1' }, ['192.0.2.2', '192.0.2.3', '192.0.2.1']],
  [
    'one that works again first',
    { address: '192.0.2.1', doubted: '192.0.2.1' },
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  ],
])('tries the addresses of a host in this order: %s', (_what, known, order) => {
  expect(orderFor({ address: undefined, ...known })).toEqual(order)
})
