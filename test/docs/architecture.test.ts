import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The folders below a tree that hold source files or styles themselves. */
function foldersOf(tree: string): readonly string[] {
  const entries = readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
  const files = entries.filter((path) => /\.(tsx?|mjs|css)$/.test(path)).map((path) => join(tree, path))
  return [...new Set(files.map((path) => dirname(path).replaceAll('\\', '/')))]
}

const isThere = (folder: string): boolean => existsSync(join(root, folder))

/** The folders that a line of the table names: `…/` stands for the folder of the last line that names one whole, or the one around it. */
function foldersNamed(): ReadonlySet<string> {
  const named = new Set<string>()
  let whole = ''
  for (const [, names = '', holds = ''] of page.matchAll(/^\| (`[^|]*`) +\| ([^|]*)\|$/gm)) {
    const [first = '', ...others] = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, ''))
    if (!first.startsWith('…/')) whole = first
    const around = [whole, dirname(whole)]
    const base = around.map((folder) => first.replace('…', folder)).find(isThere) ?? first
    const besides = [base, dirname(base), ...around]
    const folders = [base, ...others.flatMap((name) => [name, ...besides.map((folder) => `${folder}/${name}`)])]
    const inner = [...holds.matchAll(/`([\w-]+)\/`/g)].map(([, name = '']) => name)
    for (const folder of folders.filter(isThere)) {
      named.add(folder)
      for (const name of inner) named.add(`${folder}/${name}`)
    }
  }
  return named
}

test.each(['shared', 'electron', 'renderer'])('the map has a line for each folder of %s', (tree) => {
  const named = foldersNamed()
  expect(foldersOf(tree).filter((folder) => !named.has(folder))).toEqual([])
})

test('the map names what the scripts are in, and what beside the mirrored tree the tests are in', () => {
  const named = foldersNamed()
  const outermost = (tree: string) => foldersOf(tree).map((folder) => folder.split('/').slice(0, 2).join('/'))
  const mirrored = (folder: string) => {
    const name = folder.slice('test/'.length)
    return [name, `electron/${name}`, `electron/engine/${name}`].some(isThere)
  }
  expect(outermost('scripts').filter((folder) => !named.has(folder))).toEqual([])
  expect(outermost('test').filter((folder) => !mirrored(folder) && !page.includes(`\`${folder}\``))).toEqual([])
})

test('the map names no folder that is not there', () => {
  const names = [...page.matchAll(/`((?:electron|renderer|shared|scripts|test)\/[\w/-]*)`/g)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !isThere(name))).toEqual([])
})
