import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWaitingLine } from '../../../../electron/engine/queue/rows/waiting-line.ts'

const item = (position: number) => ({ id: String(position), exclusiveKey: 'k', position })

test('a line is in order of position however it was filled', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.uniqueArray(fc.nat()), (first, second) => {
      const line = createWaitingLine()
      for (const position of first) line.add(item(position))
      for (const position of second) line.add(item(position))
      for (const position of first.slice(0, 3)) line.delete(String(position))
      const left = new Set([...first, ...second].filter((position) => !first.slice(0, 3).includes(position)))
      expect([...line].map(({ position }) => position)).toEqual([...left].sort((a, b) => a - b))
      expect(line.size).toBe(left.size)
    }),
  )
})
