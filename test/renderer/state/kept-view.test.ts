import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectKeptView } from '../../../renderer/state/kept-view.ts'
import { toggleCompact } from '../../../renderer/state/ui/list-view.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import type { QueueView } from '../../../shared/transfer/queue-view.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

const LEFT: QueueView = {
  sort: { by: 'size', isDescending: true },
  collapsed: ['done'],
  columns: ['progress'],
  isCompact: true,
  buckets: { studio: 'media' },
  entryWidths: { size: 120, modified: 200 },
}

let kept: unknown[]
let answer: (view: QueueView | null) => void
let stop: () => void

beginWithFreshUi()

beforeEach(() => {
  kept = []
  const asked = new Promise((resolve) => (answer = resolve))
  const invoke = (name: string, view: unknown) => {
    if (name === 'view:get') return asked.then((value) => ({ ok: true, value }))
    kept.push(view)
    return Promise.resolve({ ok: true, value: null })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  stop = connectKeptView()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

it('shows the list as it was left, and keeps it anew only when it is changed', async () => {
  answer(LEFT)
  await whenHolds(() =>
    expect(uiStore.getState()).toMatchObject({ isCompact: true, sort: LEFT.sort, entryWidths: LEFT.entryWidths }),
  )
  expect(kept).toEqual([])
  toggleCompact()
  expect(kept).toEqual([{ ...LEFT, isCompact: false }])
})

it('leaves what a person has changed before it was known how the list was left', async () => {
  toggleCompact()
  answer({ ...LEFT, isCompact: false })
  await new Promise((resolve) => setTimeout(resolve))
  expect(uiStore.getState()).toMatchObject({ isCompact: true, sort: null })
  expect(kept).toHaveLength(1)
})
