import { afterEach, expect, test, vi } from 'vitest'
import {
  connectOpenFolders,
  folderFile,
  isFolderOpen,
  lookAtFiles,
  toggleFolder,
} from '../../../renderer/state/open-folders.ts'
import { applyToQueue, resetQueue } from '../../../renderer/state/queue/queue-store.ts'
import { makeRow, noTotals } from '../rows.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

const TOTAL = 100_000
const items = { total: TOTAL, done: 0, failed: 0, isCounted: true }
const ids = ['near', 'far']

const asked: string[] = []

/** Two folders of 100,000 files each, both open. */
function openTwo(): void {
  const invoke = (_name: string, { id, first, count }: { id: string; first: number; count: number }) => {
    asked.push(`${id} ${String(first)}`)
    const files = Array.from({ length: count }, (_, nth) => ({
      ...{ path: `file ${String(first + nth)}`, sizeBytes: 1, state: 'waiting', error: null },
    }))
    return Promise.resolve({ ok: true, value: { total: TOTAL, first, files } })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  resetQueue({ seq: 1, rows: ids.map((id) => makeRow({ id, items })), totals: noTotals })
  for (const id of ids) toggleFolder(id)
}

afterEach(() => {
  for (const id of ids.filter(isFolderOpen)) toggleFolder(id)
  asked.length = 0
  vi.unstubAllGlobals()
})

test('asks for the files in view and the one with focus, and for none between them', async () => {
  openTwo()
  lookAtFiles(new Map([['near', [5, 90_090, 90_100, 90_110]]]))
  await whenHolds(() => expect(folderFile('near', 90_110)?.path).toBe('file 90110'))
  expect(folderFile('near', 5)?.path).toBe('file 5')
  expect(asked).toEqual(['near 0', 'far 0', 'near 90000', 'near 90100'])
})

test('asks anew for what changes while it is in view, and for nothing else', async () => {
  openTwo()
  const stop = connectOpenFolders()
  lookAtFiles(new Map([['near', [5]]]))
  await whenHolds(() => expect(folderFile('far', 5)).toBeDefined())
  asked.length = 0
  const patched = ids.map((id) => ({ id, changes: { confirmedBytes: 1 } }))
  applyToQueue({ seq: 2, added: [], patched, removed: [], totals: noTotals })
  await whenHolds(() => expect(asked).toContain('near 0'))
  expect(asked).toEqual(['near 0'])
  stop()
})
