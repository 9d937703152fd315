import { expect, onTestFinished, test } from 'vitest'
import { describeCheck, type CheckedPlace, type CheckFacts } from '../../../electron/services/places/describe-check.ts'
import { networkError } from '../../../electron/stores/http/wire/network-error.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { message, worded } from '../../../shared/language/message.ts'
import { setLanguage } from '../../../shared/language/translate.ts'

const place: CheckedPlace = {
  ...{ endpoint: 'https://s3.example.com', bucket: 'media', dialect: 's3', pathStyle: false, signature: 'hmac-sha256' },
  ...{ region: '', profile: '' },
}
const nothing: CheckFacts = {
  ...{ failure: null, isReached: true, clockOffsetMs: 0, speaks: null, region: null, buckets: null },
  ...{ otherEndpoint: null, isHostKnown: false, otherBuckets: null },
}

/** What breaks a connection, as Node names it. */
const broken = (code: string) => networkError(Object.assign(new Error('Broken'), { code }), 'media.s3.example.com')
const refused = (code: string, httpStatus: number) => new StoreError(code, 'Refused', { httpStatus })

/** The failing step with its words. */
function failing(facts: Partial<CheckFacts>, changes: Partial<CheckedPlace> = {}) {
  const { steps, remedy } = describeCheck({ ...place, ...changes }, { ...nothing, ...facts })
  const step = steps.find(({ state }) => state === 'failed')
  return { said: `${step?.name}: ${worded(step?.words ?? '')}`, remedy }
}

test.each([
  ['ENOTFOUND', 'name: Can’t find media.s3.example.com. Check its spelling.'],
  ['EAI_AGAIN', 'name: Can’t find media.s3.example.com. Is this computer online?'],
  [
    'ECONNREFUSED',
    'connection: Nothing answers at media.s3.example.com on port 443. Check the port. Is the service running?',
  ],
  ['ETIMEDOUT', 'connection: media.s3.example.com can’t be reached on port 443. A firewall may be in the way.'],
  ['EHOSTUNREACH', 'connection: media.s3.example.com can’t be reached on port 443. A firewall may be in the way.'],
  [
    'ECONNRESET',
    'connection: media.s3.example.com accepted the connection but didn’t answer properly. Check the address and the port.',
  ],
])('puts %s in words', (code, said) => {
  expect(failing({ failure: broken(code), isReached: false })).toEqual({ said, remedy: null })
})

const CERTIFICATE = { kind: 'certificate', label: message('services.check.show-certificate') }

test.each([
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'connection: This computer doesn’t trust the certificate of media.s3.example.com: its issuer isn’t trusted.',
  ],
  [
    'CERT_NOT_YET_VALID',
    'connection: The certificate of media.s3.example.com is not valid yet. Is this computer’s clock right?',
  ],
])('puts %s in words, and shows the certificate of the very host that was asked', (code, said) => {
  const remedy = { ...CERTIFICATE, origin: 'https://media.s3.example.com' }
  expect(failing({ failure: broken(code), isReached: false })).toEqual({ said, remedy })
})

const PATH_STYLE = { kind: 'change', label: message('services.check.bucket-in-path'), changes: { pathStyle: true } }

test('says where the bucket goes when only the host without it is known', () => {
  expect(failing({ failure: broken('ENOTFOUND'), isReached: false, isHostKnown: true })).toEqual({
    said: 'name: Can’t find media.s3.example.com, only s3.example.com: here the bucket goes in the path.',
    remedy: PATH_STYLE,
  })
})

test('says where the bucket goes when the certificate is not for it', () => {
  const facts = { failure: broken('ERR_TLS_CERT_ALTNAME_INVALID'), isReached: false }
  const said = (host: string) => `connection: The certificate there is not for ${host}.`
  expect(failing(facts)).toEqual({ said: said('media.s3.example.com'), remedy: PATH_STYLE })
  expect(failing(facts, { pathStyle: true })).toEqual({
    said: said('s3.example.com'),
    remedy: { ...CERTIFICATE, origin: 'https://s3.example.com' },
  })
})

test.each<[Partial<CheckFacts>, Partial<CheckedPlace>, string]>([
  [
    { failure: refused('RequestTimeTooSkewed', 403), clockOffsetMs: -90 * 60_000 },
    {},
    'clock: This computer’s clock is 2 hours ahead, so the service refuses requests. Correct it.',
  ],
  [
    { failure: refused('InvalidRegion', 400) },
    {},
    'signature: The service expects a different region than “us-east-1”. Enter the right one.',
  ],
  [{ failure: refused('Unauthorized', 401) }, {}, 'signature: The service didn’t accept the key.'],
  [
    { failure: new StoreError('InvalidAccessKeyId', 'Unknown', {}) },
    {},
    'signature: The secret key isn’t on this computer any more. Enter it again.',
  ],
  [
    { failure: new StoreError('InvalidAccessKeyId', 'The profile supplied no keys', {}) },
    { profile: 'studio' },
    'signature: The profile studio gives no keys. Check it in ~/.aws.',
  ],
  [
    { failure: refused('OperationNotAvailable', 405) },
    { bucket: '' },
    'list: This service doesn’t list its buckets. Enter the name of a bucket.',
  ],
  [
    { failure: refused('OperationNotAvailable', 404) },
    { dialect: 'storage' },
    'list: This service doesn’t list anything. Files whose names you know can still be uploaded and downloaded: save the place as it is.',
  ],
  [{ failure: refused('InvalidBucketName', 400) }, { bucket: 'Media' }, 'list: “Media” can’t be the name of a bucket.'],
])('names the step of a refusal: %#', (facts, changes, said) => {
  expect(failing(facts, changes).said).toBe(said)
})

test.each([
  [STORE_ERROR.networkSignIn, 200, /^connection: A web page answers at s3\.example\.com\./],
  [STORE_ERROR.redirect, 301, /^connection: s3\.example\.com redirects to another address\./],
  [STORE_ERROR.badAnswer, 404, /^connection: What responds at s3\.example\.com isn’t an S3 service\./],
])('vouches for no key that nobody looked at: %s', (code, status, said) => {
  expect(failing({ failure: refused(code, status) }).said).toMatch(said)
})

test('leaves open what comes after the step that failed', () => {
  const { steps } = describeCheck(place, { ...nothing, failure: refused('SignatureDoesNotMatch', 403) })
  expect(steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'passed', 'failed', 'open'])
})

test('says it in the language that is chosen while the check is shown', () => {
  const { steps, remedy } = describeCheck(place, {
    ...nothing,
    failure: broken('SELF_SIGNED_CERT_IN_CHAIN'),
    isReached: false,
  })
  setLanguage(languageOf('zh-CN'))
  onTestFinished(() => setLanguage(languageOf('en')))
  const words = steps.find(({ state }) => state === 'failed')?.words ?? ''
  for (const said of [worded(words), worded(remedy?.label ?? '')]) expect(said).toMatch(/^\p{sc=Han}/u)
})

test.each([
  ['the one that was probably meant', ['archive', 'meida', 'photos'], 'Use “meida”', { bucket: 'meida' }],
  ['the only one', ['photos'], 'Use “photos”', { bucket: 'photos' }],
  ['all of them, if none is near', ['archive', 'photos'], 'Use all buckets', { bucket: '' }],
  ['all of them, if two are as near', ['mediaa', 'mediab'], 'Use all buckets', { bucket: '' }],
])('offers for a bucket that does not exist %s', (_what, otherBuckets, label, changes) => {
  const { said, remedy } = failing({ failure: refused('NoSuchBucket', 404), otherBuckets })
  expect(said).toBe('list: There is no bucket named “media”.')
  expect(remedy).toMatchObject({ kind: 'change', changes })
  expect(worded(remedy?.label ?? '')).toBe(label)
})

test.each([[[]], [null]])('leads to the bucket where the key lists none: %o', (otherBuckets) => {
  const { remedy } = failing({ failure: refused('NoSuchBucket', 404), otherBuckets })
  expect(remedy).toEqual({ kind: 'bucket', label: message('services.check.edit-bucket') })
})
