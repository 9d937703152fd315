import { expect, test } from 'vitest'
import { classify } from '../../../electron/engine/retry/classify.ts'
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
])('%s (%s) is for a person: %s', (code, httpStatus, expected) => {
  const verdict = classify(new StoreError(code, 'Refused', { httpStatus }))
  expect(verdict).toMatchObject({ kind: 'stop', error: { info: { code: expected, serviceCode: code } } })
})
