import { expect, it } from 'vitest'
import type { NameRules } from '../../../electron/engine/files/safe-name.ts'
import { createLayout } from '../../../electron/engine/folders/layout.ts'

const STRICT: NameRules = { platform: 'linux' }

it('keeps the paths of keys that clash with nothing', () => {
  const layout = createLayout([], STRICT)
  expect(['a', 'b/c', 'b/d'].map(layout.fileOf)).toEqual(['a', 'b/c', 'b/d'])
})

it('numbers a folder whose name a file has', () => {
  const layout = createLayout([], STRICT)
  expect(['foo', 'foo/bar', 'foo/baz/x'].map(layout.fileOf)).toEqual(['foo', 'foo (1)/bar', 'foo (1)/baz/x'])
})

it('numbers a file whose name a folder or another file has on systems that ignore case', () => {
  const layout = createLayout([], STRICT)
  expect(['A/x', 'README', 'a', 'readme'].map(layout.fileOf)).toEqual(['A/x', 'README', 'a (1)', 'readme (1)'])
})

it('leaves the paths of an earlier run alone', () => {
  expect(createLayout(['foo', 'foo (1)/bar'], STRICT).fileOf('foo/baz')).toBe('foo (1)/baz')
})

it('keeps all folders of a long path when the file gets a number', () => {
  const folders = 'folder/'.repeat(60)
  expect(createLayout([`${folders}a`], STRICT).fileOf(`${folders}A`)).toBe(`${folders}A (1)`)
})

it('puts what a key that ends in a slash holds into the folder of that name', () => {
  const layout = createLayout([], STRICT)
  expect(['', 'x', 'x/', 'x/_', 'y/'].map(layout.fileOf)).toEqual(['_', 'x', 'x (1)/_', 'x (1)/_ (1)', 'y/_'])
})

it('knows the folder that a key stands for', () => {
  const layout = createLayout(['x'], STRICT)
  expect(['', 'x/', 'x/CON/', 'y/'].map(layout.folderOf)).toEqual(['', 'x (1)', 'x (1)/CON_', 'y'])
})

it('nothing directly in a home folder gets the name of a file that programs obey', () => {
  const layout = createLayout([], { platform: 'linux', takesUnixNames: true, isHome: true })
  expect(layout.fileOf('.bashrc')).toBe('．bashrc')
  expect(layout.fileOf('.config/autostart/x.desktop')).toBe('．config/autostart/x.desktop')
  expect(layout.fileOf('project/.gitignore')).toBe('project/.gitignore')
  expect(layout.folderOf('.ssh/')).toBe('．ssh')
})
