import { expect, test } from 'vitest'
import { classify, storeErrorToTransferError } from '../../../electron/engine/retry/classify.ts'
import { LateResponse } from '../../../electron/engine/line/upload/late/late-responses.ts'
import { waitWords } from '../../../shared/transfer/words/wait-words.ts'
import { describeError } from '../../../shared/transfer/words/error-words.ts'
import { networkError } from '../../../electron/stores/http/wire/network-error.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'

test.each([
  ['ExpiredToken', 400, 'keys-expired'],
  ['TokenRefreshRequired', 400, 'keys-expired'],
  ['InvalidToken', 400, 'keys-expired'],
  ['InvalidAccessKeyId', 403, 'key-not-accepted'],
  [STORE_ERROR.linkExpired, 403, 'link-expired'],
  [STORE_ERROR.placeRemoved, null, 'place-removed'],
  [STORE_ERROR.proxyUnsupported, 407, 'proxy-unsupported'],
  ['AuthorizationHeaderMalformed', 400, 'refused-by-server'],
  ['XAmzContentSHA256Mismatch', 400, 'part-damaged'],
  ['constructor', 403, 'access-denied'],
  ['toString', 400, 'refused-by-server'],
])('%s (%s) is for a person: %s', (code, httpStatus, expected) => {
  const verdict = classify(new StoreError(code, 'Refused', { httpStatus }))
  expect(verdict).toMatchObject({ kind: 'stop', error: { info: { code: expected, serviceCode: code } } })
})

test.each([
  ['OperationAborted', 409],
  ['ConcurrentModification', 409],
  ['RequestTimeout', 400],
  ['IncompleteBody', 400],
  [STORE_ERROR.unnamed, 425],
  [STORE_ERROR.unnamed, 509],
  [STORE_ERROR.unnamed, 500],
  [STORE_ERROR.unnamed, 525],
  [STORE_ERROR.unnamed, 530],
])('%s (%s) passes', (code, httpStatus) => {
  const failure = new StoreError(code, 'Refused', { httpStatus })
  expect(classify(failure)).toMatchObject({ kind: 'wait', reason: 'server-error' })
})

test.each([
  ['a body that stands still', new LateResponse('Nothing moved for 30 s'), 'Can’t reach Studio: no answer came'],
  [
    'a response that is cut short',
    new StoreError(STORE_ERROR.network, 'The response is shorter than announced', { httpStatus: 206 }),
    'Can’t reach Studio: the connection broke off',
  ],
  [
    'a process that may have no more connections',
    networkError(Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }), 'host:443'),
    'Can’t reach Studio: this computer lets the app open no more connections now',
  ],
])('%s is waited for in words, not as a status', (_what, failure, words) => {
  const verdict = classify(failure)
  expect(verdict).toMatchObject({ kind: 'wait', reason: 'network' })
  if (verdict.kind === 'wait') expect(waitWords('network', verdict.cause, 'Studio')).toBe(words)
})

test.each([409, 501, 505, 507, 511, 600])('%s alone does not pass', (httpStatus) => {
  expect(classify(new StoreError(STORE_ERROR.unnamed, 'Refused', { httpStatus })).kind).toBe('stop')
})

test.each([
  ['InvalidObjectState', 403, 'Studio keeps this file in an archive. Restore it there first.'],
  ['QuotaExceeded', 403, 'Studio accepts no more data: a quota is used up.'],
  [
    STORE_ERROR.unnamed,
    413,
    'Studio takes no parts as large as these. Whoever runs it, or a proxy before it, can allow larger ones.',
  ],
  ['XMinioStorageFull', 507, 'Studio takes no more: its disk is full.'],
])('%s is no matter of the key, whatever its status', (code, httpStatus, sentence) => {
  const { info } = storeErrorToTransferError(new StoreError(code, 'Refused', { httpStatus }))
  const context = { name: 'a', placeName: 'Studio', bucket: 'b', localPath: '/a' }
  expect(describeError(info, context)).toMatchObject({ sentence, action: 'retry' })
})

test('a service whose error code is the name of a member of every object is reported like any other', () => {
  const { info } = storeErrorToTransferError(new StoreError('constructor', 'Refused', { httpStatus: 409 }))
  expect(structuredClone(info)).toEqual(info)
  const context = { name: 'a', placeName: 'Studio', bucket: 'b', localPath: '/a' }
  expect(describeError(info, context).sentence).toBe('The server refused the request.')
})
