import { expect, it } from 'vitest'
import {
  encodePlanPage,
  encodeSent,
  readablePlanPage,
  readableSent,
} from '../../../../electron/engine/checkpoint/tables/record-codec.ts'

const files = Array.from({ length: 20 }, (_, number) => ({
  name: `photos/ü "${number}"\n.jpg`,
  sizeBytes: number * 1000,
  modifiedMs: 1_767_225_600_000.123 + number,
}))
const sent = files.map(({ sizeBytes, modifiedMs }, number) => ({ number, sizeBytes, modifiedMs }))

it('reads what it wrote, times to the last digit', () => {
  expect(readablePlanPage(encodePlanPage({ first: 3, files }))).toEqual({ first: 3, files })
  expect(readableSent(encodeSent(sent))).toEqual(sent)
})

it('makes nothing up from damaged rows', () => {
  const page = encodePlanPage({ first: 3, files })
  const row = encodeSent(sent)
  for (let cut = 0; cut < page.length; cut += 1) expect(readablePlanPage(page.slice(0, cut))).toBeNull()
  for (let cut = 0; cut < row.length; cut += 1) expect(readableSent(row.slice(0, cut))).toEqual([])
  for (const at of Array.from(row, (_, index) => index)) {
    const readable = readableSent(row.slice(0, at) + '?' + row.slice(at + 1))
    for (const file of readable) expect(sent).toContainEqual(file)
    const nulled = readableSent(row.slice(0, at) + 'null' + row.slice(at + 1))
    expect(nulled.length).toBeLessThan(sent.length)
  }
  const others = [
    '',
    'null',
    '{}',
    '[]',
    '[[]]',
    '[1]',
    '[-1,[]]',
    '[0,[["",1,1]]]',
    '[0,[["a",-1,1]]]',
    '[0,[["a",1]]]',
  ]
  for (const other of others) expect(readablePlanPage(other)).toBeNull()
  expect(readableSent('[[-1,1,1],[1.5,1,1],[1,1],[1,1,1],"x",null]')).toEqual([
    { number: 1, sizeBytes: 1, modifiedMs: 1 },
  ])
})
