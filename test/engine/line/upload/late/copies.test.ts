import { expect, test } from 'vitest'
import { mostCopiedBytes } from '../../../../../electron/engine/line/upload/late/copies.ts'
import { MIB } from '../../../../../shared/limits.ts'

const PART = 5 * MIB
const part = {
  sizeBytes: PART,
  handedBytes: 2 * MIB,
  fileBytes: 8 * PART,
  isPart: true,
  isOpaque: false,
  isFree: false,
}

const whole = { ...part, handedBytes: PART }

test('a twentieth of a file may go up twice', () => {
  expect(mostCopiedBytes({ ...part, fileBytes: 1000 * PART })).toBe(50 * PART)
})

test.each([
  ['that its connection has taken whole', whole],
  ['of which its connection has taken some', part],
  ['of which its connection has taken some, whatever ETags tell', { ...part, isOpaque: true }],
  ['of which nobody knows whether it arrived, once the line is idle', { ...whole, isOpaque: true, isFree: true }],
  ['that is a file, of which its connection has taken some', { ...part, fileBytes: PART, isPart: false }],
])('a single body may go up twice, however small the file, %s', (_what, body) => {
  expect(mostCopiedBytes(body)).toBe(PART)
})

test('no part goes up twice that may arrive after its copy, where ETags would tell them apart and others wait', () => {
  expect(mostCopiedBytes({ ...whole, isOpaque: true })).toBeNull()
})

test('no file goes up twice of which the service may have all', () => {
  const file = { ...whole, fileBytes: PART, isPart: false, isFree: true }
  expect(mostCopiedBytes(file)).toBeLessThan(PART)
})
