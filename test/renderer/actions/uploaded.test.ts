import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openUnfinished } from '../../../renderer/actions/uploaded.ts'
import { browser } from '../../../renderer/state/browse-store.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import type { Place } from '../../../shared/place/place.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'

const place = (bucket: string) => ({ id: 'studio', name: 'Studio', bucket }) as Place

beginWithFreshUi()

beforeEach(() => {
  vi.stubGlobal('window', { sluice: { invoke: () => Promise.resolve({ ok: true, value: [] }) } })
})
afterEach(() => vi.unstubAllGlobals())

it('lists the unfinished uploads of the bucket that a place has', () => {
  openUnfinished(place('media'), 'media')
  expect(uiStore.getState()).toMatchObject({ view: 'queue', dialog: { kind: 'unfinished', bucket: 'media' } })
})

it('shows the buckets of a place that spans several, for there is no list of all their uploads', () => {
  openUnfinished(place(''), '')
  expect(uiStore.getState()).toMatchObject({ view: 'browse', dialog: { kind: 'none' } })
  expect(browser.store.getState().location).toEqual({ placeId: 'studio', bucket: '', prefix: '' })
})
