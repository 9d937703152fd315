import { expect, test } from 'vitest'
import { checkPlace } from '../../electron/services/places/check-place.ts'
import { listBuckets, type StoreConnection } from '../../electron/stores/index.ts'
import { signal } from '../stores/support/open-store.ts'
import type { ServerAccess } from './support/server-access.ts'
import { describeOnServers } from './support/servers.ts'
import { putSigned, type S3World } from './support/world.ts'
import { worded } from '../../shared/language/message.ts'

const HOUR = 3_600_000

/** What is changed of the right settings. */
type Changes = (server: ServerAccess) => Partial<StoreConnection>

describeOnServers('a place', (createWorld) => {
  test.each<[string, Changes, readonly string[]]>([
    ['the right settings', () => ({}), []],
    ['another region', () => ({ region: 'elsewhere-1' }), []],
    [
      'a clock off by an hour',
      () => ({ now: () => Date.now() - HOUR }),
      ['clock: This computer’s clock is 1 hour behind. Sluice allows for that.'],
    ],
    [
      'a wrong key',
      ({ secretAccessKey }) => ({ credentials: { accessKeyId: 'KA', secretAccessKey } }),
      ['signature: The service doesn’t know this access key ID.'],
    ],
    [
      'a wrong secret',
      ({ accessKeyId }) => ({ credentials: { accessKeyId, secretAccessKey: 'wrong' } }),
      ['signature: The secret key doesn’t belong to this access key ID.'],
    ],
    ['a bucket typo', () => ({ bucket: 'sluice-typo' }), ['list: There is no bucket named “sluice-typo”.']],
    [
      'the other kind of service',
      () => ({ dialect: 'storage', signature: 'hmac-sha1', scheme: 'STORAGE' }),
      ['connection: This service speaks S3. Choose its provider, or “Other S3 service”.'],
    ],
  ])('with %s', async (_what, changes, said) => {
    const { connection, server } = await createWorld()
    expect(await wordsOf(connection(changes(server)))).toEqual(said)
  })

  test('with a key that may not list', async () => {
    const world = await createWorld()
    const { connection, bucket } = world
    await forbidListing(world)
    expect(await wordsOf(connection())).toEqual([
      `list: This key isn’t allowed to list bucket “${bucket}”. If it is meant for one folder, enter that under Advanced. If it can upload or download, save the place as it is.`,
    ])
  })

  test('without a key', async () => {
    const { connection, bucket } = await createWorld()
    expect(await wordsOf(connection({ signature: 'none', credentials: null }))).toEqual([
      'signature: Anonymous, nothing is signed.',
      `list: Bucket “${bucket}” can’t be listed without a key.`,
    ])
  })

  test('lists the buckets of a key', async () => {
    const { connection, bucket } = await createWorld()
    const found = await listBuckets(connection(), signal)
    expect(found.map(({ name }) => name)).toContain(bucket)
    const [said] = await wordsOf(connection({ bucket: '' }))
    expect(said).toMatch(/^list: \d+ buckets?$/)
  })
})

/** Denies it to everybody by the bucket's policy, the key it belongs to included. */
async function forbidListing({ server, bucket }: S3World): Promise<void> {
  const deny = { Effect: 'Deny', Principal: '*', Action: 's3:ListBucket', Resource: `arn:aws:s3:::${bucket}` }
  await putSigned(server, `/${bucket}?policy=`, JSON.stringify({ Version: '2012-10-17', Statement: [deny] }))
}

/** The steps that have something to say. */
async function wordsOf(connection: StoreConnection): Promise<readonly string[]> {
  const { steps } = await checkPlace(connection, { profile: '' })
  return steps.filter(({ words }) => words !== null).map(({ name, words }) => `${name}: ${worded(words ?? '')}`)
}
