import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Queued } from '../../../../electron/engine/queue/rows/queued-lanes.ts'
import { hasRoom } from '../../../../electron/engine/line/line-room.ts'
import { chooseStarts, type Starts } from '../../../../electron/engine/queue/runs/choose-starts.ts'
import { exclusiveKeyOf } from '../../../../electron/engine/transfer/transfer-entry.ts'
import { MIB } from '../../../../shared/limits.ts'
import { downloadRecord, uploadRecord } from '../../../support/fakes/records.ts'

const item = (id: string, exclusiveKey = id) => {
  return { id, exclusiveKey, position: 0 }
}
/** In queue order. */
const line = <T extends Queued>(items: readonly T[]) => items.map((each, position) => ({ ...each, position }))
const ROOM = { onLine: () => true }
const idsOf = ({ chosen }: Starts<Queued>): readonly string[] => chosen.map(({ id }) => id)

test('the first in line start, those whose key is busy are passed over', () => {
  const queued = [item('a', 'x'), item('b', 'y'), item('c', 'x'), item('d', 'z'), item('e')]
  expect(idsOf(chooseStarts([queued], new Set(['y']), { ...ROOM, slots: 2 }))).toEqual(['a', 'd'])
  expect(idsOf(chooseStarts([queued], new Set(), { ...ROOM, slots: 0 }))).toEqual([])
})

describe('on a line with room for two', () => {
  const slots = 5
  const onLine = ({ id }: Queued, chosen: readonly Queued[]): boolean =>
    id === 'small' || chosen.filter((each) => each.id !== 'small').length < 2

  test('a third waits; what may pass it does', () => {
    const starts = chooseStarts([[item('a'), item('b'), item('c'), item('small')]], new Set(), { slots, onLine })
    expect(idsOf(starts)).toEqual(['a', 'b', 'small'])
    expect(starts.isHeldBack).toBe(true)
  })

  test('nothing is held back when no slot is free anyway', () => {
    expect(chooseStarts([[item('a'), item('b'), item('c')]], new Set(), { slots: 2, onLine }).isHeldBack).toBe(false)
  })

  test('a hundred thousand that wait are not looked through each time', () => {
    let looks = 0
    const queued = Array.from({ length: 100_000 }, (_, index) => item(String(index)))
    const counting = (...args: Parameters<typeof onLine>): boolean => {
      looks += 1
      return onLine(...args)
    }
    expect(idsOf(chooseStarts([queued], new Set(), { slots, onLine: counting }))).toEqual(['0', '1'])
    expect(looks).toBeLessThan(2000)
  })

  test('a hundred thousand waiting transfers don’t hold up other lanes', () => {
    const all = line([...Array.from({ length: 100_000 }, (_, index) => item(String(index))), item('small')])
    const lanes = [all.slice(-1), all.slice(0, -1)]
    expect(idsOf(chooseStarts(lanes, new Set(), { slots, onLine }))).toEqual(['0', '1', 'small'])
  })

  test('lanes take turns by place in the queue', () => {
    const all = line(['a', 'b', 'c', 'd', 'e'].map((id) => item(id)))
    const lanes = [
      [1, 4],
      [0, 2, 3],
    ].map((lane) => lane.flatMap((index) => all[index] ?? []))
    expect(idsOf(chooseStarts(lanes, new Set(['c']), { ...ROOM, slots: 3 }))).toEqual(['a', 'b', 'd'])
  })
})

describe('room on a line', () => {
  const large = { lineKey: 'line', leftBytes: 100 * MIB, status: 'transferring', connections: 1 } as const
  const unknown = { ...large, leftBytes: null }

  test('is for two while few connections fill it, for all when many do', () => {
    expect(hasRoom(large, [])).toBe(true)
    expect(hasRoom(large, [large])).toBe(true)
    expect(hasRoom(large, [large, { ...unknown, connections: null }])).toBe(false)
    expect(hasRoom(unknown, [large, large])).toBe(false)
    expect(hasRoom(large, [large, { ...large, connections: 8 }])).toBe(true)
  })

  test('is there for a small one, and for one that is a tenth of those before it', () => {
    expect(hasRoom({ ...large, leftBytes: 2 * MIB }, [large, large])).toBe(true)
    expect(hasRoom({ ...large, leftBytes: 9 * MIB }, [large, unknown])).toBe(true)
    expect(hasRoom({ ...large, leftBytes: 11 * MIB }, [large, unknown])).toBe(false)
  })

  test('is not taken by small ones, by those on other lines, and by those that wait or are being checked', () => {
    const others = [
      { ...large, leftBytes: 2 * MIB },
      { ...large, lineKey: 'other', connections: 8 },
      { ...large, status: 'waiting' },
      { ...large, status: 'verifying' },
      { ...large, status: 'completing' },
    ] as const
    expect(hasRoom(large, [...others, large])).toBe(true)
    expect(hasRoom(large, [...others, large, large])).toBe(false)
  })
})

test('two that start never share a key, and there are never more than slots', () => {
  const items = fc.array(fc.tuple(fc.uuid(), fc.integer({ min: 0, max: 4 })))
  fc.assert(
    fc.property(items, fc.nat(6), (pairs, slots) => {
      const queued = pairs.map(([id, key]) => item(id, String(key)))
      const starts = idsOf(chooseStarts([queued], new Set(['0']), { ...ROOM, slots }))
      const keys = starts.map((id) => queued.find((candidate) => candidate.id === id)?.exclusiveKey)
      expect(new Set(keys).size).toBe(starts.length)
      expect(keys).not.toContain('0')
      expect(starts.length).toBeLessThanOrEqual(slots)
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
