// Checks of a connection before it is used: does anything answer there, and may this key list?

import type { StoreDialect } from '../../shared/place/place.ts'
import { createConnectionPool } from './http/connection-pool.ts'
import { exchange } from './http/exchange.ts'
import { addressOf, serviceAddressOf } from './messages/address.ts'
import { leave } from './messages/error-responses.ts'
import { parseHttpDate } from './messages/header-values.ts'
import type { ListObjectsRequest } from './port/object-store.ts'
import type { StoreConnection } from './port/store-connection.ts'
import { STORE_ERROR, StoreError } from './port/store-error.ts'
import { listBucketsBy, listObjects } from './s3/listings.ts'
import { routeOf } from './s3/route.ts'
import { createS3Transport } from './s3/transport.ts'
import { listBuckets } from './storage/list-buckets.ts'
import { createStorageStore } from './storage/storage-store.ts'

/** A response to a request that asked for no object. */
export interface Sign {
  readonly status: number
  /** `Date` of the response, milliseconds since the epoch; null when absent. */
  readonly serverTimeMs: number | null
  /** Derived from the header that carries the request id; null when the response has neither kind. */
  readonly speaks: StoreDialect | null
}

/** The result of listing a connection's bucket, or its buckets. */
export interface ListingTrial {
  /** Null when listing worked. */
  readonly failure: unknown
  /** The region that the service named instead of the given one; null when it named none. */
  readonly region: string | null
  /** Null when the buckets were not requested. */
  readonly buckets: readonly string[] | null
}

/** Returns the scheme, host and port that a connection's requests go to. Throws InvalidArgument. */
export function originOf(connection: Omit<StoreConnection, 'credentials' | 'scheme' | 'signature'>): string {
  if (connection.dialect === 's3') return routeOf(connection).origin
  return (connection.bucket === '' ? serviceAddressOf(connection) : addressOf(connection)).origin
}

/** Sends an origin an unsigned HEAD request: any response is a sign of life. Throws a StoreError when none comes. */
export async function awaitSign(
  origin: string,
  network: StoreConnection['network'],
  signal: AbortSignal,
): Promise<Sign> {
  const pool = createConnectionPool(origin, network)
  const request = { method: 'HEAD', target: '/', headers: { 'accept-encoding': 'identity' } } as const
  try {
    const response = await exchange(pool, () => request, signal)
    await leave(response)
    const { status, headers } = response
    const speaks = headers.has('x-storage-request-id') ? 'storage' : headers.has('x-amz-request-id') ? 's3' : null
    return { status, serverTimeMs: parseHttpDate(headers.get('date')), speaks }
  } finally {
    await pool.close()
  }
}

/**
 * Lists one object below a prefix of the connection's bucket, or the buckets when it names none. Never throws for a
 * response.
 */
export async function tryListing(
  connection: StoreConnection,
  signal: AbortSignal,
  prefix?: string,
): Promise<ListingTrial> {
  const asked = { maxKeys: 1, signal, ...(prefix === undefined ? {} : { prefix }) }
  return connection.dialect === 's3' ? tryS3(connection, asked) : tryStorage(connection, asked)
}

async function tryStorage(connection: StoreConnection, asked: ListObjectsRequest): Promise<ListingTrial> {
  const none = { region: null, buckets: null }
  const { signal } = asked
  try {
    if (connection.bucket === '') {
      return { ...none, buckets: namesOf(await listBuckets(connection, signal)), failure: null }
    }
    const store = createStorageStore(connection)
    await store.listObjects(asked).finally(() => store.close())
    return { ...none, failure: null }
  } catch (failure) {
    return { ...none, failure: failureWithin(signal, failure) }
  }
}

async function tryS3(connection: StoreConnection, asked: ListObjectsRequest): Promise<ListingTrial> {
  const { signal } = asked
  const transport = createS3Transport(connection)
  const given = transport.route.region
  const region = () => (transport.route.region === given ? null : transport.route.region)
  try {
    if (connection.bucket !== '') await listObjects(transport, asked)
    const buckets = connection.bucket === '' ? namesOf(await listBucketsBy(transport, signal)) : null
    return { failure: null, region: region(), buckets }
  } catch (failure) {
    return { failure: failureWithin(signal, failure), region: region(), buckets: null }
  } finally {
    await transport.close()
  }
}

function namesOf(buckets: readonly { readonly name: string }[]): readonly string[] {
  return buckets.map(({ name }) => name)
}

/** Running out of time counts as a failure like any other. */
function failureWithin(signal: AbortSignal, failure: unknown): unknown {
  if (!signal.aborted) return failure
  return new StoreError(STORE_ERROR.network, 'The server did not answer in time', { cause: signal.reason })
}
