import { expect, test } from 'vitest'
import { spaceNeeded } from '../../../renderer/sheet-parts/disk-space.ts'

const GB = 1_000_000_000

test('says what is free where what is picked fits, even exactly', () => {
  expect(spaceNeeded(31 * GB, { sizeBytes: 31 * GB })).toEqual({ text: '31.0 GB free', isTooLittle: false })
})

test('says what is needed and what is free where it does not fit, and what comes of it', () => {
  expect(spaceNeeded(3_200_000_000, { sizeBytes: 16 * GB })).toEqual({
    text: 'Not enough space: 16.0 GB needed, 3.20 GB free. The download will wait until there is room.',
    isTooLittle: true,
  })
})

test('says nothing of a volume that does not tell', () => {
  expect(spaceNeeded(null, { sizeBytes: GB })).toBeNull()
})
