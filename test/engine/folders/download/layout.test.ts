import { expect, it } from 'vitest'
import { createLayout } from '../../../../electron/engine/folders/download/layout.ts'

it('keeps the paths of keys that clash with nothing', () => {
  const layout = createLayout([])
  expect(['a', 'b/c', 'b/d'].map(layout)).toEqual(['a', 'b/c', 'b/d'])
})

it('numbers a folder whose name a file has', () => {
  const layout = createLayout([])
  expect(['foo', 'foo/bar', 'foo/baz/x'].map(layout)).toEqual(['foo', 'foo (1)/bar', 'foo (1)/baz/x'])
})

it('numbers a file whose name a folder or another file has on systems that ignore case', () => {
  const layout = createLayout([])
  expect(['A/x', 'README', 'a', 'readme'].map(layout)).toEqual(['A/x', 'README', 'a (1)', 'readme (1)'])
})

it('leaves the paths of an earlier run alone', () => {
  expect(createLayout(['foo', 'foo (1)/bar'])('foo/baz')).toBe('foo (1)/baz')
})

it('keeps all folders of a long path when the file gets a number', () => {
  const folders = 'folder/'.repeat(60)
  expect(createLayout([`${folders}a`])(`${folders}A`)).toBe(`${folders}A (1)`)
})
