import { expect, test } from 'vitest'
import { columnsFor } from '../../../../renderer/queue/rows/columns.ts'
import { COLUMNS, USUAL_COLUMNS } from '../../../../shared/transfer/queue-view.ts'

test('a list shows the chosen columns that leave names their room, in its order', () => {
  expect(columnsFor(USUAL_COLUMNS, 1080)).toEqual(['progress', 'speed', 'left'])
  expect(columnsFor(USUAL_COLUMNS, 560)).toEqual(['progress', 'speed'])
  expect(columnsFor(USUAL_COLUMNS, 360)).toEqual([])
  expect(columnsFor(COLUMNS, 760)).toEqual(['progress', 'speed', 'left', 'size'])
  expect(columnsFor(['place', 'added'], 700)).toEqual(['place', 'added'])
  expect(columnsFor([], 2000)).toEqual([])
})
