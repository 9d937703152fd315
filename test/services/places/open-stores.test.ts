import { expect, it } from 'vitest'
import { createOpenStores } from '../../../electron/services/places/open-stores.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { countHeld } from '../../support/tools/collect-garbage.ts'

/** Stores that say what is done to them. */
function recordingStores() {
  const events: string[] = []
  const make = (name: string) =>
    ({
      dropConnections: () => void events.push(`drop ${name}`),
      close: () => Promise.resolve(void events.push(`close ${name}`)),
    }) as unknown as ObjectStore
  const stores = createOpenStores({ place: (id, bucket) => make(`${id}/${bucket}`), link: ({ url }) => make(url) })
  return { ...stores, events }
}

const link = (url: string) => ({ kind: 'link', url }) as const
const place = (placeId: string, bucket = 'media') => ({ kind: 'place', placeId, bucket }) as const

it('holds the stores of a thousand links only as long as something uses them', async () => {
  const { openStore, close, events } = recordingStores()
  const used = openStore(link('https://used.example'))
  const others = Array.from({ length: 1000 }, (_, at) => new WeakRef(openStore(link(`https://${at}.example`))))
  expect(await countHeld(others)).toBe(0)
  expect(openStore(link('https://used.example'))).toBe(used)
  await close()
  expect(events).toEqual(['close https://used.example'])
})

it('closes the store of a place that is forgotten, and drops its connections while something still uses it', () => {
  const { openStore, forget, dropConnections, events } = recordingStores()
  const before = openStore(place('studio'))
  openStore(place('studio-2'))
  forget('studio')
  expect(events).toEqual(['close studio/media'])
  expect(openStore(place('studio'))).not.toBe(before)
  events.length = 0
  dropConnections()
  expect(events.sort()).toEqual(['drop studio-2/media', 'drop studio/media', 'drop studio/media'])
})
