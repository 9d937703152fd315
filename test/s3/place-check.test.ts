import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkPlace } from '../../electron/place-check.ts'
import { listBuckets, type StoreConnection } from '../../electron/stores/index.ts'
import { createSigV4 } from '../../electron/stores/s3/signer.ts'
import { createCephWorld, gateway } from './support/world.ts'

const HOUR = 3_600_000

const key = { accessKeyId: gateway?.accessKeyId ?? '', secretAccessKey: gateway?.secretAccessKey ?? '' }

describe.skipIf(gateway === null)('a place on Ceph', () => {
  test.each<[string, Partial<StoreConnection>, readonly string[]]>([
    ['the right settings', {}, []],
    ['another region', { region: 'elsewhere-1' }, []],
    [
      'a clock off by an hour',
      { now: () => Date.now() - HOUR },
      ['clock: This computer’s clock is 1 hour behind. Sluice allows for that.'],
    ],
    [
      'a wrong key',
      { credentials: { ...key, accessKeyId: 'KA' } },
      ['signature: The service doesn’t know this access key ID.'],
    ],
    [
      'a wrong secret',
      { credentials: { ...key, secretAccessKey: 'wrong' } },
      ['signature: The secret key doesn’t belong to this access key ID.'],
    ],
    ['a bucket typo', { bucket: 'sluice-typo' }, ['list: There is no bucket named “sluice-typo”.']],
    [
      'the other kind of service',
      { dialect: 'storage', signature: 'hmac-sha1', scheme: 'STORAGE' },
      ['connection: This service speaks S3. Choose its provider, or “Other S3 service”.'],
    ],
  ])('with %s', async (_what, changes, said) => {
    const { connection } = await createCephWorld()
    expect(await wordsOf(connection(changes))).toEqual(said)
  })

  test('with a key that may not list', async () => {
    const { connection, bucket } = await createCephWorld()
    await forbidListing(connection())
    expect(await wordsOf(connection())).toEqual([
      `list: This key may not list bucket “${bucket}”. If it may upload or download, save the place as it is.`,
    ])
  })

  test('without a key', async () => {
    const { connection, bucket } = await createCephWorld()
    expect(await wordsOf(connection({ signature: 'none', credentials: null }))).toEqual([
      'signature: Anonymous, nothing is signed.',
      `list: Bucket “${bucket}” can’t be listed without a key.`,
    ])
  })

  test('lists the buckets of a key', async () => {
    const { connection, bucket } = await createCephWorld()
    const found = await listBuckets(connection(), AbortSignal.timeout(10_000))
    expect(found.map(({ name }) => name)).toContain(bucket)
    const [said] = await wordsOf(connection({ bucket: '' }))
    expect(said).toMatch(/^list: \d+ buckets?$/)
  })
})

/** Denies it to everybody by the bucket's policy, the key it belongs to included. */
async function forbidListing({ endpoint, bucket, region, credentials }: StoreConnection): Promise<void> {
  const deny = { Effect: 'Deny', Principal: '*', Action: 's3:ListBucket', Resource: `arn:aws:s3:::${bucket}` }
  const body = JSON.stringify({ Version: '2012-10-17', Statement: [deny] })
  const payloadHash = createHash('sha256').update(body).digest('hex')
  const headers = { host: new URL(endpoint).host }
  const request = { method: 'PUT', path: `/${bucket}`, query: 'policy=', headers, payloadHash }
  const proof = createSigV4().sign(request, { credentials: credentials ?? key, region, dateMs: Date.now() })
  const response = await fetch(`${endpoint}/${bucket}?policy=`, { method: 'PUT', headers: proof, body })
  if (!response.ok) throw new Error(`The policy was not taken: ${await response.text()}`)
}

/** The steps that have something to say. */
async function wordsOf(connection: StoreConnection): Promise<readonly string[]> {
  const { steps } = await checkPlace(connection, '')
  return steps.filter(({ words }) => words !== null).map(({ name, words }) => `${name}: ${words ?? ''}`)
}
