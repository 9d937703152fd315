import { expect, it } from 'vitest'
import { listedLinks, mayListLinks, type TextSource } from '../../../../renderer/actions/links/link-lists.ts'

const file = (name: string, text: string): TextSource => ({ name, size: text.length, text: async () => text })

it('finds the links of a list, each once, without its remarks', async () => {
  const list = file('links.txt', '\uFEFF# of today\nhttps://a.example/1\r\n\r\ns3://media/b\nhttps://a.example/1\n')
  expect(await listedLinks([list])).toEqual(['https://a.example/1', 's3://media/b'])
})

it('reads shortcuts that Windows and Linux make, several at once', async () => {
  const one = file('One.url', '[InternetShortcut]\r\nIconIndex=0\r\nURL=https://a.example/1?x=2\r\n')
  const other = file('more.URLS', 'curl -O \\\n  https://b.example/2')
  expect(await listedLinks([one, other])).toEqual(['https://a.example/1?x=2', 'curl -O https://b.example/2'])
})

it.each([
  ['a text with a line that is no link', file('notes.txt', 'https://a.example/1\nread this')],
  ['an empty text', file('empty.txt', '# nothing\n')],
  ['a name that lists nothing', file('links.md', 'https://a.example/1')],
  ['a shortcut to nowhere', file('x.url', '[InternetShortcut]\n')],
  ['what can’t be read', { name: 'a.txt', size: 1, text: () => Promise.reject(new Error('gone')) }],
])('leaves %s to be uploaded', async (_, other) => {
  expect(await listedLinks([other])).toEqual([])
  expect(await listedLinks([file('links.txt', 'https://a.example/1'), other])).toEqual([])
})

it('reads no large file', () => {
  expect(mayListLinks({ name: 'a.txt', size: 2_097_152 })).toBe(true)
  expect(mayListLinks({ name: 'a.txt', size: 2_097_153 })).toBe(false)
})
