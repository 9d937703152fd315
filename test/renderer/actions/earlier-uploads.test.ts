import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { discardEarlier, reviewStops } from '../../../renderer/actions/earlier-uploads.ts'
import { applyToQueue, resetQueue } from '../../../renderer/state/queue/queue-store.ts'
import { closeDialog } from '../../../renderer/state/ui/open-dialogs.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import { makeRow, noTotals } from '../rows.ts'

const STOPPED = {
  status: 'failed',
  error: { code: 'earlier-upload', detail: '', serviceCode: null, httpStatus: null, requestId: null },
} as const

let stop = (): void => undefined

beforeEach(() => {
  closeDialog()
  resetQueue({ seq: 0, rows: [makeRow({ id: 'a' }), makeRow({ id: 'b' })], totals: noTotals })
  stop = reviewStops()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

function patch(...patched: TransferDelta['patched']): void {
  applyToQueue({ seq: 1, added: [], patched, removed: [], totals: noTotals })
}

it('asks about an upload when it stops, and not again because something else of it changes', () => {
  patch({ id: 'a', ...STOPPED })
  expect(uiStore.getState().dialog).toEqual({ kind: 'earlier-upload', id: 'a' })
  closeDialog()
  patch({ id: 'a', position: 7 })
  expect(uiStore.getState().dialog).toEqual({ kind: 'none' })
})

it('leaves an open sheet alone, and asks about what stopped meanwhile only from its row', () => {
  patch({ id: 'a', ...STOPPED })
  patch({ id: 'b', ...STOPPED })
  expect(uiStore.getState().dialog).toEqual({ kind: 'earlier-upload', id: 'a' })
  closeDialog()
  patch({ id: 'b', position: 8 })
  expect(uiStore.getState().dialog).toEqual({ kind: 'none' })
})

it('discards an earlier upload in the bucket of the row, which its place need not name', async () => {
  const invoke = vi.fn(() => Promise.resolve({ ok: true, value: null }))
  vi.stubGlobal('window', { sluice: { invoke } })
  await discardEarlier(makeRow({ placeId: 'all-buckets', bucket: 'media', key: 'a.mov' }), 'upload-1')
  const upload = { placeId: 'all-buckets', bucket: 'media', key: 'a.mov', uploadId: 'upload-1' }
  expect(invoke).toHaveBeenCalledWith('uploads:discard', upload)
})
