import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSidecar } from '../../../electron/engine/partial-file/sidecar.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const SIZE = 1000

const HEADER = JSON.stringify({
  version: 2,
  owner: 'host/1',
  location: { kind: 'place', placeId: 'place', bucket: 'demo' },
  endpoint: null,
  key: 'set.bin',
  targetPath: '/any/set.bin',
  sizeBytes: SIZE,
  etag: null,
  lastModified: null,
})

const macLine = (key: Uint8Array) => JSON.stringify({ mac: createHmac('sha256', key).update(HEADER).digest('hex') })

const parseLines = (lines: readonly string[]) => parseSidecar([HEADER, ...lines, ''].join('\n'), SIDECAR_KEY)
const parse = (...lines: readonly string[]) => parseLines(lines)

test('only the key of this user makes a sidecar ours', () => {
  const note = '[0,10,7]'
  const written = [{ start: 0, end: 10, crc32: 7 }]
  expect(parse(macLine(SIDECAR_KEY), note)).toMatchObject({ isOurs: true, written })
  expect(parse(macLine(Buffer.alloc(32)), note)).toMatchObject({ isOurs: false, written })
  expect(parse('{"mac":"00"}', note)).toMatchObject({ isOurs: false, written })
  // As older versions wrote them.
  expect(parse(note)).toMatchObject({ isOurs: false, written })
  const other = HEADER.replace('set.bin', 'other.bin')
  expect(parseSidecar([other, macLine(SIDECAR_KEY), note].join('\n'), SIDECAR_KEY)).toMatchObject({ isOurs: false })
})

test('a sidecar of any number of lines that take each other back is read', () => {
  // As many as fit into the largest that is read: to go through all ranges at each line would take days.
  const lines = Array.from({ length: 900_000 }, (_, number) => (number % 2 === 0 ? '[1,1000,1]' : '[0,1,null]'))
  expect(parseLines(lines)?.written).toHaveLength(450_000)
})

test('says what was noted and never lost', () => {
  const range = fc.tuple(fc.nat(SIZE), fc.nat(SIZE), fc.boolean())
  fc.assert(
    fc.property(fc.array(range, { maxLength: 30 }), (ranges) => {
      const written = parse(...ranges.map(([a, b, isLost]) => `[${a},${b},${isLost ? 'null' : 5}]`))?.written ?? []
      const lost = ranges.filter(([a, b, isLost]) => isLost && a < b)
      const expected = ranges.filter(
        ([a, b, isLost]) => !isLost && a < b && lost.every(([start, end]) => b <= start || a >= end),
      )
      expect(written.map(({ start, end }) => [start, end])).toEqual(
        expected.toSorted(([a], [b]) => a - b).map(([start, end]) => [start, end]),
      )
    }),
  )
})

test.each(['[0,1001,5]', '[5,5,5]', '[-1,5,5]', '[0,10,4294967296]', '[0,10]', '[0,1e1,5]', '[0,10,5', 'x'])(
  'the line %s says nothing',
  (line) => {
    expect(parse(line)?.written).toEqual([])
  },
)
