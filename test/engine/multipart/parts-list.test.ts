import { expect, it } from 'vitest'
import { PartsListError } from '../../../electron/engine/multipart/parts-list-fault.ts'
import { isMeantAsPartsList, parsePartsList, writePartsList } from '../../../electron/engine/multipart/parts-list.ts'

it('takes the body of Complete, or what list-parts prints, in any order', () => {
  const listed = {
    StorageClass: 'STANDARD',
    Parts: [
      { PartNumber: 5, ETag: '"b"' },
      { PartNumber: 1, ETag: 'a', Size: 7 },
    ],
  }
  expect(parsePartsList(JSON.stringify(listed))).toEqual({
    uploadId: null,
    key: null,
    bucket: null,
    parts: [
      { partNumber: 1, etag: 'a', sizeBytes: 7 },
      { partNumber: 5, etag: 'b', sizeBytes: null },
    ],
  })
})

it('takes back what it wrote', () => {
  const upload = { uploadId: 'u', key: 'a/b', bucket: 'demo' }
  const parts = [{ partNumber: 2, etag: 'x', sizeBytes: 9 }]
  expect(parsePartsList(writePartsList(upload, parts))).toEqual({ ...upload, parts })
})

it.each([
  ['', 'not-json', 'The parts list is not JSON.'],
  ['[]', 'not-a-parts-list', /^This isn’t a parts list\. It should be/],
  ['{}', 'not-a-parts-list', /^This isn’t a parts list\. It should be/],
  ['{"Parts":[]}', 'not-a-parts-list', 'The list is empty.'],
  ['{"uploadId":7,"parts":[{"partNumber":1,"etag":"a"}]}', 'not-a-parts-list', /^This isn’t a parts list/],
  [
    '{"Parts":[{"PartNumber":"1","ETag":"a"}]}',
    'not-a-parts-list',
    /^Entry 1 of the parts list has no usable PartNumber/,
  ],
  ['{"parts":[{"partNumber":1,"etag":"a"},{"partNumber":0,"etag":"a"}]}', 'not-a-parts-list', /^Entry 2 .* partNumber/],
  ['{"parts":[{"partNumber":1,"etag":"\\"\\""}]}', 'not-a-parts-list', /^Entry 1 .* etag/],
  [
    '{"parts":[{"partNumber":1,"etag":"a"},{"partNumber":1,"etag":"b"}]}',
    'repeated-part',
    'The list names part 1 more than once.',
  ],
])('refuses %s', (text, problem, sentence) => {
  expect(() => parsePartsList(text)).toThrow(PartsListError)
  expect(() => parsePartsList(text)).toThrow(expect.objectContaining({ problem }))
  expect(() => parsePartsList(text)).toThrow(sentence)
})

it('reads a list whose parts are spelled as S3 spells them', () => {
  const text = JSON.stringify({ uploadId: 'u', parts: [{ PartNumber: 2, ETag: '"b"', Size: 5 }] })
  expect(parsePartsList(text)).toMatchObject({ uploadId: 'u', parts: [{ partNumber: 2, etag: 'b', sizeBytes: 5 }] })
})

it.each([
  ['{"uploadId":"u","parts":[]}', true],
  ['{"Parts":[{"PartNumber":1}]}', true],
  ['{"parts":[{"name":"wheel"}]}', false],
  ['{"parts":"none"}', false],
  ['[1,2]', false],
  ['{"uploadId"', false],
])('tells %s from other JSON', (text, isMeant) => {
  expect(isMeantAsPartsList(text)).toBe(isMeant)
})
