import { createServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { checkPlace } from '../../../electron/services/places/check-place.ts'
import type { StoreConnection } from '../../../electron/stores/index.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { createTrust } from '../../../electron/stores/network/trust.ts'
import { isSound } from '../../../shared/place/place-check.ts'
import { proofOf } from '../../stores/s3/support/open-s3.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { startHttpProxy, type HttpProxyOptions } from '../../support/proxies/http-proxy.ts'
import {
  listenUntilTestEnds,
  startScript,
  type ScriptedResponse,
  type TakenRequest,
} from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { CERTIFICATE } from '../../support/servers/untrusted-certificate.ts'
import { message, worded } from '../../../shared/language/message.ts'

const HOUR = 3_600_000
const credentials = { accessKeyId: 'AK', secretAccessKey: 'right' }

const ours: Omit<StoreConnection, 'endpoint'> = {
  ...{ bucket: 'media', dialect: 'storage', pathStyle: true, scheme: 'STORAGE', signature: 'hmac-sha1', region: '' },
  credentials,
}
const s3 = { dialect: 's3', signature: 'hmac-sha256', region: 'eu-test-1' } as const

async function startStore(): Promise<string> {
  const store = await startDemoStore({ directory: join(await tempDir(), 'store'), buckets: ['media'], credentials })
  onTestFinished(() => store.close())
  return store.endpoint
}

async function startTls(certificate: { readonly key: string; readonly cert: string }): Promise<string> {
  return listenUntilTestEnds(
    createServer(certificate, (_request, response) => response.end()),
    'https',
  )
}

/** The steps as one line each, with the words of those that have some. */
async function check(endpoint: string, changes: Partial<StoreConnection> = {}, profile = '') {
  const found = await checkPlace({ ...ours, endpoint, ...changes }, { profile })
  const steps = found.steps.filter(({ state, words }) => state === 'failed' || words !== null)
  return { ...found, said: steps.map(({ name, words }) => `${name}: ${worded(words ?? '')}`), isSound: isSound(found) }
}

describe('on an object storage service', () => {
  test('ticks every step of a place that works', async () => {
    const { steps, isSound: works } = await check(await startStore())
    expect(steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'passed', 'passed', 'passed'])
    expect(works).toBe(true)
  })

  test.each<[string, Partial<StoreConnection>, string]>([
    [
      'a wrong access key',
      { credentials: { ...credentials, accessKeyId: 'KA' } },
      'signature: The service doesn’t know this access key ID, or denies it the bucket.',
    ],
    [
      'a wrong secret',
      { credentials: { ...credentials, secretAccessKey: 'wrong' } },
      'signature: The secret key doesn’t belong to this access key ID, or the service signs in another way (see Advanced).',
    ],
    ['a bucket typo', { bucket: 'medai' }, 'list: There is no bucket named “medai”.'],
    ['no key', { signature: 'none', credentials: null }, 'list: Bucket “media” can’t be listed without a key.'],
    ['the wrong kind of service', s3, 'connection: This service doesn’t speak S3. Choose “Object Storage Service”.'],
  ])('names the step that fails with %s', async (_what, changes, said) => {
    expect((await check(await startStore(), changes)).said.at(-1)).toBe(said)
  })

  test.each([
    [HOUR, 'clock: This computer’s clock is 1 hour ahead. Sluice allows for that.'],
    [-26 * HOUR, 'clock: This computer’s clock is 1 day behind. Sluice allows for that.'],
  ])('works with a clock that is off by %i ms, and says so', async (offsetMs, words) => {
    const { said, isSound: works } = await check(await startStore(), { now: () => Date.now() + offsetMs })
    expect(said).toEqual([words])
    expect(works).toBe(true)
  })
})

test('finds the bucket that a typo was meant to be', async () => {
  const { remedy } = await check(await startStore(), { bucket: 'medai' })
  const label = message('services.check.use-bucket', { bucket: 'media' })
  expect(remedy).toEqual({ kind: 'change', label, changes: { bucket: 'media' } })
})

describe('on the way', () => {
  test('knows http for https, and what to change', async () => {
    const secure = await startTls(CERTIFICATE)
    const { said, remedy } = await check(secure.replace('https:', 'http:'))
    expect(said).toEqual(['connection: This address wants https, not http.'])
    expect(remedy).toEqual({
      kind: 'change',
      label: message('services.check.use-https'),
      changes: { endpoint: secure },
    })
  })

  test('knows https for http, and what to change', async () => {
    const plain = await startStore()
    const { said, remedy } = await check(plain.replace('http:', 'https:'))
    expect(said).toEqual([
      'connection: 127.0.0.1 answers without encryption only: what you send could be read on the way.',
    ])
    expect(remedy).toEqual({ kind: 'change', label: message('services.check.use-http'), changes: { endpoint: plain } })
  })

  test.each([
    [
      'a self-signed certificate',
      CERTIFICATES.good,
      'This computer doesn’t trust the certificate of 127.0.0.1: its issuer isn’t trusted.',
    ],
    [
      'a certificate that has expired',
      CERTIFICATES.expired,
      'The certificate of 127.0.0.1 has expired, or this computer’s clock is wrong.',
    ],
  ])('does without no encryption because of %s', async (_what, certificate, words) => {
    const origin = await startTls(certificate)
    const { said, remedy } = await check(origin)
    expect(said).toEqual([`connection: ${words}`])
    expect(remedy).toEqual({ kind: 'certificate', label: message('services.check.show-certificate'), origin })
  })

  test.each<[string, HttpProxyOptions, string]>([
    [
      'wants a sign-in',
      { signIn: { user: 'ann', password: 'secret' } },
      'The proxy needs a user name and password, or didn’t accept the ones it was given.',
    ],
    ['refuses', { connectStatus: 403 }, 'The proxy doesn’t allow connections to 127.0.0.1.'],
    ['is of no use', { connectStatus: 502 }, 'The proxy doesn’t answer, or can’t reach 127.0.0.1.'],
  ])('knows a proxy that %s', async (_what, options, words) => {
    const { port } = await startHttpProxy(options)
    const proxy = { host: '127.0.0.1', port, credentials: null }
    const network = { routeTo: () => ({ proxy, trust: createTrust([]) }) }
    expect((await check(await startTls(CERTIFICATES.good), { network })).said).toEqual([`connection: ${words}`])
  })

  test('names a port where nothing answers', async () => {
    const endpoint = 'http://127.0.0.1:9'
    const words = 'connection: Nothing answers at 127.0.0.1 on port 9. Check the port. Is the service running?'
    expect((await check(endpoint)).said).toEqual([words])
  })

  test('names a host that can’t be found', async () => {
    const { steps } = await check('https://no-such-host.invalid')
    expect(steps[0]).toMatchObject({ name: 'name', state: 'failed' })
    expect(worded(steps[0]?.words ?? '')).toMatch(/^Can’t find no-such-host\.invalid\. /)
    expect(steps.slice(1).map(({ state }) => state)).toEqual(['open', 'open', 'open', 'open'])
  })

  test('says that a bucket can’t stand before the host, and offers to put it in the path', async () => {
    const { said, remedy } = await check('https://no-such-host.invalid', { bucket: 'My_Bücket', pathStyle: false })
    expect(said).toEqual(['name: “My_Bücket” can’t be part of a host name.'])
    expect(remedy).toMatchObject({ changes: { pathStyle: true } })
  })

  test('tells an S3 service from a storage service', async () => {
    const { endpoint } = await startScript([{ status: 403, headers: { 'x-amz-request-id': 'tx1' } }])
    expect((await check(endpoint)).said).toEqual([
      'connection: This service speaks S3. Choose its provider, or “Other S3 service”.',
    ])
  })

  test('tells a web page from a service', async () => {
    const { endpoint } = await startScript([{ status: 200, body: '<html></html>' }])
    const words = 'Check the address and the kind of service.'
    expect((await check(endpoint)).said).toEqual([
      `connection: What responds at 127.0.0.1 isn’t a storage service of this kind. ${words}`,
    ])
    expect((await check(endpoint, s3)).said).toEqual([
      `connection: What responds at 127.0.0.1 isn’t an S3 service. ${words}`,
    ])
  })
})

/** Answers the unsigned request, and then what is asked for. */
async function startS3(response: ScriptedResponse | ((request: TakenRequest) => ScriptedResponse)): Promise<string> {
  const { endpoint } = await startScript([{ status: 403 }, response])
  return endpoint
}

const refusal = (status: number, code: string, more = '') => ({
  status,
  body: `<Error><Code>${code}</Code>${more}</Error>`,
})

describe('on S3', () => {
  test('takes over the region that the service names', async () => {
    const listing = { status: 200, body: '<ListBucketResult></ListBucketResult>' }
    const endpoint = await startS3(({ headers }) =>
      proofOf(headers.authorization).credential?.includes('/eu-real-2/') === true
        ? listing
        : refusal(400, 'AuthorizationHeaderMalformed', '<Region>eu-real-2</Region>'),
    )
    const found = await check(endpoint, s3)
    expect(found).toMatchObject({ region: 'eu-real-2', said: ['signature: The region is eu-real-2.'], isSound: true })
  })

  test('counts the buckets of a key when no bucket is named', async () => {
    const buckets = ['a', 'b'].map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('')
    const body = `<ListAllMyBucketsResult><Buckets>${buckets}</Buckets></ListAllMyBucketsResult>`
    expect((await check(await startS3({ status: 200, body }), { ...s3, bucket: '' })).said).toEqual(['list: 2 buckets'])
  })

  test.each<[string, Partial<StoreConnection>, ScriptedResponse, string]>([
    [
      'an unknown key',
      {},
      refusal(403, 'InvalidAccessKeyId'),
      'signature: The service doesn’t know this access key ID.',
    ],
    [
      'a wrong secret',
      {},
      refusal(403, 'SignatureDoesNotMatch'),
      'signature: The secret key doesn’t belong to this access key ID.',
    ],
    [
      'a token that has expired',
      {},
      refusal(400, 'ExpiredToken'),
      'signature: These keys have expired. Get new ones, with their session token.',
    ],
    [
      'no permission to list',
      {},
      refusal(403, 'AccessDenied'),
      'list: This key isn’t allowed to list bucket “media”. If it is meant for one folder, enter that under Advanced. If it can upload or download, save the place as it is.',
    ],
    [
      'a key of one bucket and none named',
      { bucket: '' },
      refusal(403, 'AccessDenied'),
      'list: This key isn’t allowed to list buckets. Enter the name of a bucket.',
    ],
    ['a bucket typo', {}, refusal(404, 'NoSuchBucket'), 'list: There is no bucket named “media”.'],
    [
      'a service that is busy',
      {},
      refusal(503, 'SlowDown'),
      'list: The service is busy or not working (503). Try again later.',
    ],
    [
      'a redirect to another host',
      {},
      { status: 307, headers: { location: 'http://elsewhere.example/' } },
      'connection: 127.0.0.1 redirects to another address. Enter that one.',
    ],
  ])('names the step that fails with %s', async (_what, changes, response, said) => {
    const endpoint = await startS3(response)
    expect((await check(endpoint, { ...s3, ...changes })).said.at(-1)).toBe(said)
  })

  test('says how to sign in where a profile gives no keys', async () => {
    const failure = new StoreError('InvalidAccessKeyId', 'The SSO session has expired. Run aws sso login.', {})
    const credentialSource = () => Promise.reject(failure)
    const endpoint = await startS3({ status: 500 })
    expect((await check(endpoint, { ...s3, credentials: null, credentialSource }, 'studio')).said).toEqual([
      'signature: The profile studio gives no keys. Run “aws sso login --profile studio” and try again.',
    ])
  })

  test('says that a program which gives the keys of a profile may be waiting for an answer', async () => {
    const failure = new StoreError(STORE_ERROR.keysAwaited, 'The profile studio supplied no keys in time', {})
    const credentialSource = () => Promise.reject(failure)
    const endpoint = await startS3({ status: 500 })
    expect((await check(endpoint, { ...s3, credentials: null, credentialSource }, 'studio')).said).toEqual([
      'signature: The profile studio hasn’t given keys yet. If it asks you for something, answer it, then try again.',
    ])
  })
})
