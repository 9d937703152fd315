import { expect, test } from 'vitest'
import { classify, storeErrorToTransferError } from '../../../electron/engine/retry/classify.ts'
import { describeError } from '../../../shared/transfer/error-words.ts'
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
  ['constructor', 403, 'access-denied'],
  ['toString', 400, 'refused-by-server'],
])('%s (%s) is for a person: %s', (code, httpStatus, expected) => {
  const verdict = classify(new StoreError(code, 'Refused', { httpStatus }))
  expect(verdict).toMatchObject({ kind: 'stop', error: { info: { code: expected, serviceCode: code } } })
})

test('a service that calls its refusal like a member of every object is told of like any other', () => {
  const { info } = storeErrorToTransferError(new StoreError('constructor', 'Refused', { httpStatus: 409 }))
  expect(structuredClone(info)).toEqual(info)
  const context = { name: 'a', placeName: 'Studio', bucket: 'b', localPath: '/a' }
  expect(describeError(info, context).sentence).toBe('The server refused the request.')
})
