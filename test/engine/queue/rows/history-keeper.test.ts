import { expect, test } from 'vitest'
import type { KeptHistory } from '../../../../electron/engine/core/records.ts'
import { HistoryKeeper } from '../../../../electron/engine/queue/rows/history-keeper.ts'
import { createEntry } from '../../../../electron/engine/transfer/transfer-entry.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../../support/fakes/records.ts'

test('what happens while histories are written is written with the next', async () => {
  const written = new Map<string, readonly string[]>()
  const store = {
    histories: () => Promise.resolve(new Map<string, KeptHistory>()),
    putHistories: (histories: readonly { readonly id: string; readonly history: KeptHistory }[]) => {
      for (const { id, history } of histories)
        written.set(
          id,
          history.entries.map(({ text }) => text),
        )
      return Promise.resolve()
    },
  }
  const keeper = new HistoryKeeper(store, createFakeClock(), () => undefined)
  const [one, other] = ['one', 'other'].map((id) => createEntry(uploadRecord({ id }), 'kept'))
  if (one === undefined || other === undefined) throw new Error('There are two entries')
  keeper.of(one).note('begun')
  const writing = keeper.write()
  keeper.of(other).note('ended')
  await writing
  expect(keeper.isToBeWritten).toBe(true)
  await keeper.write()
  expect(written).toEqual(
    new Map([
      ['one', ['begun']],
      ['other', ['ended']],
    ]),
  )
})
