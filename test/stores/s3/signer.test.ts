import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentEncode } from '../../../electron/stores/messages/address.ts'
import { canonicalQuery, createSigV4, EMPTY_SHA256, UNSIGNED_PAYLOAD } from '../../../electron/stores/s3/signer.ts'
import { proofOf } from './support/open-s3.ts'

/** Amazon's published examples (S3 API reference: Signature calculations, header and query parameter examples). */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const scope = { credentials, region: 'us-east-1', dateMs: Date.UTC(2013, 4, 24) }
const host = 'examplebucket.s3.amazonaws.com'
const get = { method: 'GET', path: '/', query: '', headers: { host }, payloadHash: EMPTY_SHA256 }

test.each([
  [
    'a range of an object',
    { ...get, path: '/test.txt', headers: { host, range: 'bytes=0-9' } },
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload',
    {
      method: 'PUT',
      path: '/test%24file.text',
      query: '',
      headers: { host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      payloadHash: createHash('sha256').update('Welcome to Amazon S3.').digest('hex'),
    },
    'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a sub-resource',
    { ...get, query: canonicalQuery([['lifecycle', '']]) },
    'host;x-amz-content-sha256;x-amz-date',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a listing',
    {
      ...get,
      query: canonicalQuery([
        ['prefix', 'J'],
        ['max-keys', '2'],
      ]),
    },
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('signs %s as Amazon does', (_what, request, signedHeaders, signature) => {
  expect(proofOf(createSigV4().sign(request, scope)['authorization'])).toEqual({
    credential: 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    signedHeaders,
    signature,
  })
})

test('signs a link as Amazon does', () => {
  const request = { ...get, path: '/test.txt', payloadHash: UNSIGNED_PAYLOAD }
  expect(createSigV4().presign(request, scope, 86_400)).toMatch(
    /&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404$/,
  )
})

class Sha256 {
  readonly #hash
  constructor(key?: unknown) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as Buffer)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }
  reset(): void {
    throw new Error('Never asked for')
  }
}

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const requests = fc.record({
  method: fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD'),
  key: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  query: fc.dictionary(name, fc.string({ unit: 'grapheme', maxLength: 12 }), { maxKeys: 4 }),
  headers: fc.dictionary(
    name.map((each) => `x-amz-meta-${each}`),
    fc.stringMatching(/^[ -~]{0,12}$/),
    { maxKeys: 3 },
  ),
  payloadHash: fc.constantFrom(UNSIGNED_PAYLOAD, EMPTY_SHA256),
  sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9/+=]{1,20}$/), { nil: undefined }),
  region: fc.constantFrom('us-east-1', 'eu-central-1', 'auto'),
  dateMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
})

test('signs whatever it is given as Amazon’s own library does', async () => {
  // One signer for all, so that the key it keeps is never the wrong one.
  const ours = createSigV4()
  await fc.assert(
    fc.asyncProperty(requests, async ({ key, query, sessionToken, region, dateMs, ...request }) => {
      const who = { ...credentials, ...(sessionToken === undefined ? {} : { sessionToken }) }
      const path = `/demo/${percentEncode(key).replaceAll('%2F', '/')}`
      const headers = { ...request.headers, host: 'store.example:8080' }
      const theirs = new SignatureV4({
        ...{ service: 's3', region, credentials: who, uriEscapePath: false, applyChecksum: false },
        sha256: Sha256,
      })
      const signed = await theirs.sign(
        {
          ...{ method: request.method, protocol: 'http:', hostname: 'store.example', port: 8080, path, query },
          headers: { ...headers, 'x-amz-content-sha256': request.payloadHash },
        },
        { signingDate: new Date(dateMs) },
      )
      const proof = ours.sign(
        { ...request, path, headers, query: canonicalQuery(Object.entries(query)) },
        { credentials: who, region, dateMs },
      )
      expect(proof['authorization']).toBe(signed.headers['authorization'])
    }),
    { numRuns: 300 },
  )
})
