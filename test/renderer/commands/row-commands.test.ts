import { afterEach, expect, it } from 'vitest'
import { mainActionOn, nameOnRows } from '../../../renderer/commands/row-commands.ts'
import { resetQueue } from '../../../renderer/state/queue/queue-store.ts'
import { transferError } from '../../support/fakes/every-state.ts'
import { makeRow, noTotals } from '../rows.ts'

afterEach(() => resetQueue({ seq: 0, rows: [], totals: noTotals }))

it('names a command in the menu as the button of the row does', () => {
  const rows = [
    makeRow({ id: 'changed', status: 'failed', error: transferError('source-changed') }),
    makeRow({ id: 'waiting', status: 'waiting' }),
    makeRow({ id: 'pausing', status: 'pausing', finishingUnits: 3 }),
    makeRow({ id: 'moving' }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
  expect(nameOnRows('start-over', ['changed'])).toBe('Continue')
  expect(nameOnRows('start-over', ['changed', 'moving'])).toBe('Start over…')
  expect(nameOnRows('retry', ['waiting', 'moving'])).toBe('Try now')
  expect(nameOnRows('retry', ['changed', 'waiting'])).toBe('Retry')
  expect(nameOnRows('pause', ['pausing'])).toBe('Stop now')
  expect(nameOnRows('pause', ['pausing', 'moving'])).toBe('Pause')
})

it('offers what the button does for rows whose buttons do the same, and questions for a single row', () => {
  const rows = [
    makeRow({ id: 'moving' }),
    makeRow({ id: 'moving too' }),
    makeRow({ id: 'paused', status: 'paused' }),
    makeRow({ id: 'stopping', status: 'pausing' }),
    makeRow({ id: 'untrusted', status: 'failed', error: transferError('certificate-untrusted') }),
    makeRow({ id: 'untrusted too', status: 'failed', error: transferError('certificate-untrusted') }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
  expect(mainActionOn(['moving', 'moving too'])?.label).toBe('Pause')
  expect(mainActionOn(['moving', 'paused'])).toBeNull()
  expect(mainActionOn(['stopping'])).toBeNull()
  expect(mainActionOn(['untrusted'])?.label).toBe('Show certificate…')
  expect(mainActionOn(['untrusted', 'untrusted too'])).toBeNull()
})

it('says of each way to be rid of a row what it concerns, and whether it asks', () => {
  const rows = [
    makeRow({ id: 'up', status: 'paused' }),
    makeRow({ id: 'up too', status: 'paused' }),
    makeRow({ id: 'down', status: 'paused', direction: 'download' }),
    makeRow({ id: 'new', status: 'queued', confirmedBytes: 0 }),
    makeRow({ id: 'done', status: 'completed' }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
  expect(nameOnRows('cancel', ['up', 'done'])).toBe('Discard upload…')
  expect(nameOnRows('cancel', ['up', 'up too'])).toBe('Discard uploads…')
  expect(nameOnRows('cancel', ['down'])).toBe('Discard download…')
  expect(nameOnRows('cancel', ['up', 'down'])).toBe('Discard…')
  expect(nameOnRows('remove', ['up', 'done'])).toBe('Remove from list…')
  expect(nameOnRows('remove', ['new', 'done'])).toBe('Remove from list')
})
