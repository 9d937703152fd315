import { expect, test } from 'vitest'
import { createBucket, type StoreConnection } from '../../../electron/stores/index.ts'
import { STORE_ERROR } from '../../../electron/stores/port/store-error.ts'
import { startScript, type ScriptedResponse } from '../../support/servers/scripted-server.ts'
import { CREDENTIALS, signal } from '../support/open-store.ts'

const CREATED = { status: 200 }
const NO_SUCH_LOCATION = { status: 400, body: '<Error><Code>InvalidLocationConstraint</Code></Error>' }
const OTHER_LOCATION = { status: 400, body: '<Error><Code>IllegalLocationConstraintException</Code></Error>' }
const OTHER_REGION = {
  status: 400,
  body: '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>',
}

/** Creates the bucket `new-one` of a service that gives these answers; returns what was sent to it. */
async function create(answers: readonly ScriptedResponse[], changes: Partial<StoreConnection> = {}) {
  const { endpoint, requests } = await startScript(answers)
  const how = {
    dialect: 's3',
    pathStyle: true,
    scheme: '',
    signature: 'hmac-sha256',
    credentials: CREDENTIALS,
  } as const
  const connection = { ...how, endpoint, bucket: 'its-own', region: 'eu-test-1', ...changes }
  const failure = await createBucket(connection, 'new-one', signal).catch((error: unknown) => error)
  return { failure, sent: requests.map(({ method, url, body }) => [method, url, body.toString()]), requests }
}

function constrained(location: string) {
  return [
    'PUT',
    '/new-one',
    '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      `<LocationConstraint>${location}</LocationConstraint></CreateBucketConfiguration>`,
  ]
}

test('creates a bucket in the region of the connection', async () => {
  const { sent, failure } = await create([CREATED])
  expect(failure).toBeUndefined()
  expect(sent).toEqual([constrained('eu-test-1')])
})

test.each(['us-east-1', '', 'auto'])('names no location in region “%s”, and sends an empty body', async (region) => {
  const { sent, requests } = await create([CREATED], { region })
  expect(sent).toEqual([['PUT', '/new-one', '']])
  expect(requests[0]?.headers['content-length']).toBe('0')
})

test('follows the service to the region that it names', async () => {
  const { sent, failure } = await create([OTHER_REGION, OTHER_LOCATION, CREATED])
  expect(failure).toBeUndefined()
  expect(sent).toEqual([constrained('eu-test-1'), constrained('eu-test-1'), constrained('eu-west-1')])
})

test('leaves the location to a service that does not know the region as one', async () => {
  const { sent, failure } = await create([NO_SUCH_LOCATION, CREATED])
  expect(failure).toBeUndefined()
  expect(sent).toEqual([constrained('eu-test-1'), ['PUT', '/new-one', '']])
})

test.each([
  [[NO_SUCH_LOCATION, OTHER_LOCATION], 'IllegalLocationConstraintException'],
  [[OTHER_LOCATION], 'IllegalLocationConstraintException'],
  [[{ status: 409, body: '<Error><Code>BucketAlreadyExists</Code></Error>' }], 'BucketAlreadyExists'],
  [[{ status: 501 }], STORE_ERROR.notImplemented],
])('tells why there is no bucket: %j', async (answers, code) => {
  const { sent, failure } = await create(answers)
  expect(failure).toMatchObject({ code })
  expect(sent).toHaveLength(answers.length)
})

test('the storage dialect creates none', async () => {
  const { sent, failure } = await create([CREATED], { dialect: 'storage' })
  expect(failure).toMatchObject({ code: STORE_ERROR.notImplemented })
  expect(sent).toEqual([])
})
