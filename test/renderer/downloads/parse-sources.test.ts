import { expect, test } from 'vitest'
import { linkProblem } from '../../../renderer/actions/link-text.ts'
import { parseSources } from '../../../renderer/downloads/parse-sources.ts'

test('links and keys are told apart, empty lines and repeats dropped', () => {
  const text =
    ' https://example.com/a.iso?sig=1 \n\nmedia/b +c.mov\nHTTP://example.com/d\nmedia/b +c.mov\r\nhttps//typo\ns3://media/a/'
  expect(parseSources(text)).toEqual({
    links: ['https://example.com/a.iso?sig=1', 'HTTP://example.com/d', 's3://media/a/'],
    keys: ['media/b +c.mov', 'https//typo'],
    prefixes: [],
  })
})

test('a key that ends in a slash is a folder', () => {
  expect(parseSources('media/\nmedia/a.mov')).toEqual({ links: [], keys: ['media/a.mov'], prefixes: ['media/'] })
})

test('only links that can be followed are taken', () => {
  expect(linkProblem('https://files.example.com/a?signature=1')).toBeNull()
  expect(linkProblem('files.example.com/a')).toBe('A link begins with https:// or http://.')
  expect(linkProblem('https://a.example.com https://b.example.com')).toBe('A link begins with https:// or http://.')
  expect(linkProblem('https://me:secret@files.example.com/a')).toBeNull()
})
