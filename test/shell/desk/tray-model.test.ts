import { expect, it } from 'vitest'
import { createTrayRows, trayModel } from '../../../electron/shell/desk/tray-model.ts'
import { queueTotals, transferRow } from '../../support/fakes/transfer-rows.ts'

const active = (id: string, etaSeconds: number | null, name = `${id}.mov`) =>
  transferRow({ id, name, status: 'transferring', etaSeconds })

it('has three states: idle, moving, and needing a person before all else', () => {
  expect(trayModel(queueTotals({ done: 3 }), []).state).toBe('idle')
  expect(trayModel(queueTotals({ active: 1 }), []).state).toBe('moving')
  expect(trayModel(queueTotals({ active: 1, attention: 1 }), []).state).toBe('attention')
})

it('says in a line how it stands', () => {
  const moving = { ...queueTotals({ active: 3, waiting: 2 }), etaSeconds: 1560 }
  expect(trayModel(moving, []).headline).toBe('3 active · about 26 min')
  expect(trayModel(queueTotals({ attention: 2, active: 1 }), []).headline).toBe('2 need you · 1 active')
  expect(trayModel(queueTotals({ waiting: 2 }), []).headline).toBe('2 waiting')
  expect(trayModel(queueTotals({ paused: 2 }), []).headline).toBe('2 paused')
  expect(trayModel(queueTotals({ done: 2 }), []).headline).toBe('No transfers under way')
})

it('names the three that are done first, long names cut in the middle', () => {
  const rows = [active('d', null), active('c', 300), active('a', 20), active('b', 60, `${'x'.repeat(50)}.mov`)]
  expect(trayModel(queueTotals({ active: 4 }), rows).nearest).toEqual([
    { id: 'a', label: 'a.mov · 20 s' },
    { id: 'b', label: `${'x'.repeat(20)}…${'x'.repeat(16)}.mov · 1 min` },
    { id: 'c', label: 'c.mov · 5 min' },
  ])
})

it('offers to pause and to resume where that does something', () => {
  expect(trayModel(queueTotals({ waiting: 1 }), [])).toMatchObject({ canPause: true, canResume: false })
  expect(trayModel(queueTotals({ paused: 1 }), [])).toMatchObject({ canPause: false, canResume: true })
})

it('follows rows as they begin, end and leave', () => {
  const rows = createTrayRows({ rows: [transferRow({ id: 'a', status: 'queued' }), active('b', 5)] })
  const delta = { seq: 1, added: [], patched: [], removed: [], totals: queueTotals() }
  expect(rows.active().map(({ id }) => id)).toEqual(['b'])
  rows.observe({ ...delta, patched: [{ id: 'a', status: 'transferring', etaSeconds: 9 }] })
  rows.observe({ ...delta, patched: [{ id: 'b', status: 'completed' }] })
  expect(rows.active()).toMatchObject([{ id: 'a', etaSeconds: 9 }])
  rows.observe({ ...delta, removed: ['a'] })
  expect(rows.active()).toEqual([])
})
