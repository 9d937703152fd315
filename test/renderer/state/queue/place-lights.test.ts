import { expect, it } from 'vitest'
import { lightsOf } from '../../../../renderer/state/queue/place-lights.ts'

it('lights a place while something runs there, and tells one that needs a person', () => {
  const lights = lightsOf(
    [
      { placeId: 'studio', status: 'transferring', error: null },
      { placeId: 'archive', status: 'failed', error: null },
      { placeId: 'archive', status: 'transferring', error: null },
      { placeId: 'quiet', status: 'paused', error: null },
      { placeId: 'quiet', status: 'completed', error: null },
      { placeId: null, status: 'transferring', error: null },
    ],
    [],
  )
  expect([...lights]).toEqual([
    ['studio', 'active'],
    ['archive', 'attention'],
  ])
})

it('marks a place whose own bucket isn’t there, and none with all buckets for one that a row names', () => {
  const error = { code: 'no-such-bucket', detail: '', serviceCode: null, httpStatus: 404, requestId: null } as const
  const rows = ['one', 'all'].map((placeId) => ({ placeId, status: 'failed' as const, error }))
  const lights = lightsOf(rows, [
    { id: 'one', bucket: 'media' },
    { id: 'all', bucket: '' },
  ])
  expect([...lights]).toEqual([['one', 'attention']])
})
