import { readMessage } from '../messages/error-responses.ts'
import { escapeXml } from '../messages/xml.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { StoreError } from '../port/store-error.ts'
import { createS3Transport } from './transport.ts'
import { xmlRequest } from './xml-bodies.ts'

/** Regions that aren't places to put a bucket: Amazon's first one, and the word of services that have no regions. */
const UNNAMED: ReadonlySet<string> = new Set(['us-east-1', 'auto'])
const LOCATION_CODES: ReadonlySet<string> = new Set(['InvalidLocationConstraint', 'IllegalLocationConstraintException'])

/**
 * CreateBucket, in the region of the connection; the connection's own bucket plays no part. Repeating it harms nothing:
 * the service says that the bucket is there. Throws StoreError.
 */
export async function createBucket(connection: StoreConnection, bucket: string, signal: AbortSignal): Promise<void> {
  const transport = createS3Transport({ ...connection, bucket })

  async function create(location: string | null): Promise<void> {
    const body = location === null ? {} : xmlRequest('CreateBucketConfiguration', constraint(location))
    await readMessage(
      await transport.send({ operation: 'CreateBucket', method: 'PUT', key: null, ...body, accepts: [200], signal }),
    )
  }

  /** The service may have named another region meanwhile, or have a single location that is not called by its region. */
  async function createElsewhere(failed: string | null, failure: unknown): Promise<void> {
    if (!(failure instanceof StoreError) || !LOCATION_CODES.has(failure.code)) throw failure
    const next = locationIn(transport.route.region)
    if (next !== failed) return create(next)
    if (failed === null || failure.code !== 'InvalidLocationConstraint') throw failure
    return create(null)
  }

  const location = locationIn(transport.route.region)
  try {
    await create(location).catch((failure: unknown) => createElsewhere(location, failure))
  } finally {
    await transport.close()
  }
}

/** The LocationConstraint for a region; null: there must be none. */
function locationIn(region: string): string | null {
  return UNNAMED.has(region) ? null : region
}

function constraint(location: string): string {
  return `<LocationConstraint>${escapeXml(location)}</LocationConstraint>`
}
