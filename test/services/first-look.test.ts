import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSystemClock, openCheckpointStore } from '../../electron/engine/index.ts'
import { createQueueViews } from '../../electron/services/persistence/queue-view.ts'
import { openKeptValues, openTransfers } from '../../electron/services/index.ts'
import { USUAL_COLUMNS, USUAL_WIDTHS, type Sort } from '../../shared/transfer/queue-view.ts'
import { uploadRecord } from '../support/fakes/records.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

/** A list of more rows than are read at once, as an app was left that shows them in this order. */
async function openLeft(sort: Sort) {
  const userDataDir = await tempDir()
  const store = await openCheckpointStore(join(userDataDir, 'state', 'transfers.db'), createSystemClock())
  await store.insert(
    Array.from({ length: 2001 }, (_, number) =>
      uploadRecord({ id: `paused-${String(number)}`, position: number + 1, status: 'paused' }),
    ),
  )
  await store.close()
  const open = async () =>
    openTransfers(userDataDir, {
      kept: await openKeptValues(join(userDataDir, 'state', 'values')),
      credentials: { state: () => 'ready', seal: (secret) => secret, open: (sealed) => sealed },
      session: { resolveProxy: () => Promise.resolve('DIRECT') },
      startDemo: () => Promise.reject(new Error('It is of no use here')),
      onError: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
    })
  const { values } = await openKeptValues(join(userDataDir, 'state', 'values'))
  await createQueueViews(values).set({
    sort,
    collapsed: [],
    columns: USUAL_COLUMNS,
    isCompact: false,
    buckets: {},
    entryWidths: USUAL_WIDTHS,
  })
  const opened = await open()
  onTestFinished(async () => (await opened.load()).close())
  return opened
}

it('shows the top of a long list first', async () => {
  const look = await (await openLeft(null)).firstLook
  expect(look?.rows.length).toBe(100)
})

it('shows none of a long list before its top is known, where a person sorts it by a column', async () => {
  expect(await (await openLeft({ by: 'name', isDescending: true })).firstLook).toBeNull()
})
