import { expect, test, vi } from 'vitest'
import type * as Bridge from '../../../renderer/bridge.ts'
import { start } from '../../../renderer/app/start.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import type { TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'
import { makeRow, noTotals } from '../rows.ts'

const main = vi.hoisted(() => ({
  ids: [] as readonly string[],
  seq: 0,
  tell: (_delta: TransferDelta): void => undefined,
}))

/** Main with a queue of these rows, and nothing else to say. */
vi.mock('../../../renderer/bridge.ts', async (original) => ({
  ...(await original<typeof Bridge>()),
  request: (name: string) => (name === 'queue:snapshot' ? Promise.resolve(snapshot()) : new Promise(() => undefined)),
  listen: (name: string, listener: (delta: TransferDelta) => void) => {
    if (name === 'queue:delta') main.tell = listener
    return () => undefined
  },
}))

function snapshot(): TransferSnapshot {
  return { seq: main.seq, rows: main.ids.map((id) => makeRow({ id })), totals: noTotals }
}

test('rows that left the list while the window had no word of it are selected no more', async () => {
  vi.stubGlobal('window', { addEventListener: () => undefined, matchMedia: () => ({ matches: false }) })
  main.ids = ['a', 'b']
  start()
  const selection = new Set<TransferId>(['a', 'b'])
  uiStore.setState({ selection, anchorId: 'a' })
  main.ids = ['b']
  main.seq = 7
  // What came before it was not heard, so the list is asked for anew.
  main.tell({ seq: 7, added: [], patched: [], removed: [], totals: noTotals })
  await whenHolds(() => expect([...uiStore.getState().selection]).toEqual(['b']))
  expect(uiStore.getState().anchorId).toBeNull()
})
