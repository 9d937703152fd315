import { expect, test } from 'vitest'
import { sortDropped } from '../../../renderer/actions/sort-dropped.ts'

test('partial downloads are told from files to upload, with or without the file beside them', () => {
  const paths = [
    '/d/.a.mov.1f.part',
    '/d/.a.mov.1f.part.json',
    '/d/b.part.json',
    '/d/c.mov',
    '/d/party',
    '/d/data.json',
  ]
  expect(sortDropped(paths)).toEqual({
    partials: ['/d/.a.mov.1f.part', '/d/b.part.json'],
    others: ['/d/c.mov', '/d/party', '/d/data.json'],
  })
})
