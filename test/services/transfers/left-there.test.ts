import { expect, it } from 'vitest'
import { createNotices } from '../../../electron/services/notices.ts'
import { createLeftThere } from '../../../electron/services/transfers/unfinished/left-there.ts'
import { sentences } from '../../../shared/language/sentences.ts'
import type { Place } from '../../../shared/place/place.ts'
import { refusalWords } from '../../../shared/transfer/words/error-words.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

const upload = (placeId: string, key: string) => ({
  location: { kind: 'place', placeId, bucket: 'media' } as const,
  key,
  uploadId: `upload of ${key}`,
})

function createWorld() {
  const clock = createFakeClock()
  const notices = createNotices()
  const told: string[] = []
  notices.follow((all) => told.push(sentences(all.map(refusalWords))))
  const places = { list: () => [{ id: 'studio', name: 'Studio' } as Place] }
  const leftThere = createLeftThere({ clock, places, tell: notices.tell })
  return { clock, told, leftThere }
}

const DENIED = {
  code: 'access-denied',
  detail: '',
  serviceCode: 'AccessDenied',
  httpStatus: 403,
  requestId: null,
} as const
const TRY_AGAIN =
  'Try again under “Unfinished uploads”, with another key if need be, or ask whoever manages the bucket.'

it('says what a service goes on keeping of a row that is gone, why, and what can be done', async () => {
  const { clock, told, leftThere } = createWorld()
  leftThere(upload('studio', 'media/film.mov'), DENIED)
  expect(told).toEqual([])
  await clock.advance(500)
  const kept =
    'The unfinished upload of media/film.mov couldn’t be discarded: its parts stay at Studio and may cost money.'
  expect(told).toEqual([`${kept} Studio doesn’t allow this with the current key. ${TRY_AGAIN}`])
})

it('tells of many together, and of those whose place was removed', async () => {
  const { clock, told, leftThere } = createWorld()
  for (const key of ['a', 'b', 'c']) leftThere(upload('studio', key), null)
  leftThere(upload('gone', 'd'), { ...DENIED, code: 'place-removed' })
  await clock.advance(500)
  const kept = '3 unfinished uploads couldn’t be discarded: their parts stay at Studio and may cost money.'
  const gone =
    'The unfinished upload of d couldn’t be discarded, because its place was removed: its parts stay on the server and ' +
    'may cost money. Add the place again to discard what is left under “Unfinished uploads”.'
  expect(told).toEqual([`${kept} ${TRY_AGAIN} ${gone}`])
  leftThere(upload('studio', 'e'), null)
  await clock.advance(500)
  expect(told[1]).toMatch(/^The unfinished upload of e couldn’t/)
})
