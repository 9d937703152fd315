import { expect, test } from 'vitest'
import { targetIndex } from '../../../../renderer/ui/hooks/target-index.ts'

test('keys move by rows and pages and stop at the ends', () => {
  const at = (key: string, index: number) => targetIndex(key, index, 100, 10)
  expect([
    at('ArrowUp', 0),
    at('ArrowDown', 99),
    at('PageUp', 4),
    at('PageDown', 50),
    at('Home', 7),
    at('End', 7),
  ]).toEqual([0, 99, 0, 60, 0, 99])
  expect(at('a', 7)).toBeNull()
})
