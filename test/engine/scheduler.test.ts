import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseStarts, createWaitingLine, exclusiveKeyOf } from '../../electron/engine/scheduler.ts'
import { downloadRecord, uploadRecord } from '../support/records.ts'

const item = (id: string, exclusiveKey = id, position = 0) => ({ id, exclusiveKey, position })

test('the first in line start, those whose key is busy are passed over', () => {
  const queued = [item('a', 'x'), item('b', 'y'), item('c', 'x'), item('d', 'z'), item('e')]
  expect(chooseStarts(queued, new Set(['y']), 2)).toEqual(['a', 'd'])
  expect(chooseStarts(queued, new Set(), 0)).toEqual([])
})

test('two that start never share a key, and there are never more than slots', () => {
  const items = fc.array(fc.tuple(fc.uuid(), fc.integer({ min: 0, max: 4 })))
  fc.assert(
    fc.property(items, fc.nat(6), (pairs, slots) => {
      const queued = pairs.map(([id, key]) => item(id, String(key)))
      const starts = chooseStarts(queued, new Set(['0']), slots)
      const keys = starts.map((id) => queued.find((candidate) => candidate.id === id)?.exclusiveKey)
      expect(new Set(keys).size).toBe(starts.length)
      expect(keys).not.toContain('0')
      expect(starts.length).toBeLessThanOrEqual(slots)
    }),
  )
})

test('a line is in order of position however it was filled', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.uniqueArray(fc.nat()), (first, second) => {
      const line = createWaitingLine()
      for (const position of first) line.add(item(String(position), 'k', position))
      for (const position of second) line.add(item(String(position), 'k', position))
      for (const position of first.slice(0, 3)) line.delete(String(position))
      const left = new Set([...first, ...second].filter((position) => !first.slice(0, 3).includes(position)))
      expect([...line].map(({ position }) => position)).toEqual([...left].sort((a, b) => a - b))
      expect(line.size).toBe(left.size)
    }),
  )
})

test('uploads exclude each other by place, bucket and key, downloads by file', () => {
  const upload = exclusiveKeyOf(uploadRecord({ key: 'A' }))
  expect(exclusiveKeyOf(uploadRecord({ key: 'A', id: 'other', sourcePath: '/b' }))).toBe(upload)
  expect(exclusiveKeyOf(uploadRecord({ key: 'a' }))).not.toBe(upload)
  const bucket = { kind: 'place', placeId: 'place-1', bucket: 'other' } as const
  expect(exclusiveKeyOf(uploadRecord({ key: 'A', location: bucket }))).not.toBe(upload)
  const file = exclusiveKeyOf(downloadRecord({ targetPath: '/d/é.txt'.normalize('NFC') }))
  expect(exclusiveKeyOf(downloadRecord({ targetPath: '/D/É.txt'.normalize('NFD'), key: 'b' }))).toBe(file)
})
