import { expect, it } from 'vitest'
import { fittingCount } from '../../../../renderer/ui/hooks/use-fitting.ts'

it('shows all tools where they fit, else as many as leave room for the menu with the rest', () => {
  expect(fittingCount([100, 50, 50], 208, 4, 28)).toBe(3)
  expect(fittingCount([100, 50, 50], 207, 4, 28)).toBe(2)
  expect(fittingCount([100, 50, 50], 150, 4, 28)).toBe(1)
  expect(fittingCount([100, 50, 50], 90, 4, 28)).toBe(0)
  expect(fittingCount([], 90, 4, 28)).toBe(0)
})
