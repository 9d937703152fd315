import { expect, it } from 'vitest'
import { lightsOf } from '../../../../renderer/state/queue/place-lights.ts'

it('lights a place while something runs there, and tells one that needs a person', () => {
  const lights = lightsOf([
    { placeId: 'studio', status: 'transferring' },
    { placeId: 'archive', status: 'failed' },
    { placeId: 'archive', status: 'transferring' },
    { placeId: 'quiet', status: 'paused' },
    { placeId: 'quiet', status: 'completed' },
    { placeId: null, status: 'transferring' },
  ])
  expect([...lights]).toEqual([
    ['studio', 'active'],
    ['archive', 'attention'],
  ])
})
