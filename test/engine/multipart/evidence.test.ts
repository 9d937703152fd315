import { expect, test } from 'vitest'
import {
  baselineOf,
  decide,
  TOKEN_NAME,
  weigh,
  type CompletionGoal,
} from '../../../electron/engine/multipart/evidence.ts'
import type { ObjectHead } from '../../../electron/stores/port/object-store.ts'

const GOAL: CompletionGoal = {
  expectedEtag: null,
  sizeBytes: 7,
  parts: [{ partNumber: 1, etag: 'opaque' }],
  baseline: { sizeBytes: 7, etag: 'before', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' },
  serverTimeMs: Date.UTC(2026, 10, 21, 10, 30),
  token: 'ours',
}

function objectWith(changes: Partial<ObjectHead>): ObjectHead {
  return {
    ...{ sizeBytes: 7, etag: 'after', lastModified: 'Sat, 21 Nov 2026 10:31:00 GMT', contentType: null },
    ...{ contentEncoding: null, serverTimeMs: null, requestId: null },
    ...changes,
  }
}

test('where ETags prove nothing, the token of our upload proves that the object is ours, even while the upload is listed', () => {
  const evidence = weigh(objectWith({ metadata: { [TOKEN_NAME]: 'ours' } }), GOAL, { etagIsMd5: false })
  expect(decide(evidence, 'open', false, GOAL)).toEqual({ kind: 'done', verification: 'evidence' })
})

test.each([
  ['another token', { metadata: { [TOKEN_NAME]: 'theirs' } }],
  ['no token', {}],
  ['our token, but another size', { metadata: { [TOKEN_NAME]: 'ours' }, sizeBytes: 8 }],
])('an object with %s is no proof while the upload is open', (_what, changes) => {
  expect(decide(weigh(objectWith(changes), GOAL, { etagIsMd5: false }), 'open', false, GOAL).kind).not.toBe('done')
})

test.each([
  ['another token', { [TOKEN_NAME]: 'theirs' }, 'conflict-on-server'],
  ['no token', {}, 'outcome-unknown'],
])('an object with %s in its metadata is not taken for ours, though all else fits', (_what, metadata, code) => {
  const evidence = weigh(objectWith({ etag: 'after-1', metadata }), GOAL, { etagIsMd5: false })
  expect(decide(evidence, 'gone', true, GOAL)).toMatchObject({ kind: 'fail', code })
})

test('another object at the key of a missing upload proves nothing before the completion had time to land', () => {
  const evidence = weigh(objectWith({ sizeBytes: 8 }), GOAL, { etagIsMd5: false })
  expect(decide(evidence, 'gone', false, GOAL)).toEqual({ kind: 'read-back' })
  expect(decide(evidence, 'gone', true, GOAL)).toMatchObject({ code: 'conflict-on-server', outcomeKnown: true })
  expect(decide(evidence, 'open', false, GOAL)).toMatchObject({ code: 'conflict-on-server', outcomeKnown: false })
})

test('our token on an object whose MD5s are not ours proves nothing', () => {
  const goal = { ...GOAL, expectedEtag: 'aaaa-1' }
  const evidence = weigh(objectWith({ etag: 'bbbb-1', metadata: { [TOKEN_NAME]: 'ours' } }), goal, { etagIsMd5: true })
  expect(decide(evidence, 'gone', true, goal).kind).toBe('fail')
})

test('where ETags of several parts may be anything, one that differs leaves it to the token', () => {
  const goal = { ...GOAL, expectedEtag: 'aaaa-1' }
  const facts = { etagIsMd5: true, multipartEtagIsMd5: false }
  const weighed = (token: string) => weigh(objectWith({ etag: 'b', metadata: { [TOKEN_NAME]: token } }), goal, facts)
  expect([weighed('ours'), weighed('theirs')]).toEqual(['marked', 'other'])
  expect(weigh(objectWith({ etag: 'AAAA-1' }), goal, facts)).toBe('ours')
  // A PutObject's is an MD5 there as well.
  expect(weigh(objectWith({ etag: 'b' }), { ...goal, parts: [] }, facts)).toBe('other')
})

test('what was there before is known again though the service did not tell its size then', () => {
  const before = objectWith({ etag: 'before', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' })
  const goal = { ...GOAL, baseline: baselineOf({ ...before, sizeBytes: null }) }
  expect(weigh(before, goal, { etagIsMd5: true })).toBe('unchanged')
  expect(weigh({ ...before, etag: 'after' }, goal, { etagIsMd5: true })).not.toBe('unchanged')
})
