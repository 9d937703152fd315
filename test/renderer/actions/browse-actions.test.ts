import { expect, onTestFinished, test, vi } from 'vitest'
import { downloadPicked } from '../../../renderer/actions/browse-actions.ts'
import { folderEntry, type Entry } from '../../../renderer/state/objects/listing.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import type { EnqueueDownloads } from '../../../shared/ipc/ipc-contract.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'

beginWithFreshUi()

const SPOT = { placeId: 'studio', bucket: 'media', prefix: '' }
const SAVING = { directory: '/downloads', onConflict: 'keep-both' } as const
const object = (key: string): Entry => ({ ...folderEntry(`${key}/`, ''), kind: 'object', key, name: key })

/** Main adds whatever it is asked for. */
function takeDownloads(): number[] {
  const counts: number[] = []
  const invoke = (_name: string, { source }: EnqueueDownloads) => {
    const added =
      source.kind === 'objects' ? source.keys.length : source.kind === 'folders' ? source.prefixes.length : 0
    counts.push(added)
    return Promise.resolve({
      ok: true,
      value: { added, skipped: [], taken: { paths: [], isCertain: true }, continued: [] },
    })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  uiStore.setState({ view: 'browse' })
  onTestFinished(() => void vi.unstubAllGlobals())
  return counts
}

test('adds thousands of downloads some at a time, and says how far it is', async () => {
  const counts = takeDownloads()
  const told: number[] = []
  const entries = [folderEntry('a/', ''), ...Array.from({ length: 10_001 }, (_, index) => object(String(index)))]
  const { signal } = new AbortController()
  await downloadPicked(SPOT, entries, SAVING, { tell: (count) => told.push(count), signal })
  expect(counts).toEqual([4999, 1, 5000, 2])
  expect(told).toEqual([5000, 10_000, 10_002])
  expect(uiStore.getState().toasts[0]?.text()).toContain('10,002 downloads added')
})

test('adds no more once it is stopped', async () => {
  const counts = takeDownloads()
  const stopping = new AbortController()
  const entries = Array.from({ length: 10_001 }, (_, index) => object(String(index)))
  await downloadPicked(SPOT, entries, SAVING, { tell: () => stopping.abort(), signal: stopping.signal })
  expect(counts).toEqual([5000])
  expect(uiStore.getState().toasts[0]?.text()).toContain('5,000 downloads added')
})
