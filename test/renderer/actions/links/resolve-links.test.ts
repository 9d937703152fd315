import { expect, onTestFinished, test } from 'vitest'
import { ENGLISH, type MessageKey } from '../../../../shared/language/english.ts'
import { message, worded } from '../../../../shared/language/message.ts'
import { languageOf } from '../../../../shared/language/languages.ts'
import { setLanguage } from '../../../../shared/language/translate.ts'
import { LINK_FAULTS } from '../../../../shared/place/link-faults.ts'
import { parseLink, sourceLines } from '../../../../shared/place/links.ts'
import type { Place } from '../../../../shared/place/place.ts'
import { linksIn, resolveLink } from '../../../../renderer/actions/links/resolve-links.ts'

const studio = { id: 'studio', name: 'Studio', bucket: 'media' } as Place

test('reads a source a line, each once, without remarks, and a command that goes on over lines', () => {
  const text = ' https://a/1 \r\n\n# later\nfilm.mov\nhttps://a/1\ncurl https://b/2 \\\n  -L \\\n  -o x\n'
  expect(sourceLines(text)).toEqual(['https://a/1', 'film.mov', 'curl https://b/2 -L -o x'])
  expect(linksIn(text)).toEqual(['https://a/1', 'curl https://b/2 -L -o x'])
})

test('takes what is no link for a file or folder of the place, where there is one', () => {
  expect(resolveLink('2026/film.mov', [studio], null, studio)).toMatchObject({
    kind: 'target',
    target: { kind: 'object', placeId: 'studio', bucket: 'media', key: '2026/film.mov' },
  })
  expect(resolveLink('2026/', [studio], null, studio)).toMatchObject({ kind: 'folder', prefix: '2026/' })
  expect(resolveLink('film.mov', [studio], null)).toEqual({ kind: 'refused', reason: message('commands.link.no-link') })
})

test.each([
  ['curl https://a.example/film.mov', 'https://a.example/film.mov'],
  [`curl 'https://a.example/f?x=1&y=2' -H 'Accept: */*' --compressed`, 'https://a.example/f?x=1&y=2'],
  ['curl -sSL -o "my film.mov" --url https://a.example/f', 'https://a.example/f'],
  ['curl -X GET a.example/f', 'http://a.example/f'],
  // As browsers copy addresses with ' and ! in them.
  [String.raw`curl $'https://a.example/it\'s\u0021/f?x=1' -H $'Accept: a\u0021b'`, "https://a.example/it's!/f?x=1"],
  [String.raw`curl -u 'ann:back\' 'https://a.example/f'`, 'https://ann:back%5C@a.example/f'],
  ['curl -u ann:s3cret https://a.example/f', 'https://ann:s3cret@a.example/f'],
  ['curl -H "Authorization: Basic YW5uOnA6dw==" https://a.example/f', 'https://ann:p%3Aw@a.example/f'],
])('downloads what %s does', (command, url) => {
  expect(parseLink(command)).toEqual({ kind: 'link', url })
})

test.each([
  ['curl', null],
  ['curl -L', 'This curl command has no address.'],
  ['curl ftp://a.example/f', 'The address doesn’t begin with http:// or https://.'],
  [
    'curl -H "Authorization: Bearer x" https://a.example/f',
    'Sluice can’t send the Authorization header of this curl command. Use a signed link instead.',
  ],
  ['curl -H "Cookie: a=b" https://a.example/f', 'Sluice can’t send the header Cookie of this curl command.'],
  ['curl -d a=b https://a.example/f', 'Sluice can’t use the option -d of this curl command.'],
  [
    'curl -k https://a.example/f',
    'This curl command turns off certificate checks (-k), which Sluice never does. Remove -k.',
  ],
  ['curl -X POST https://a.example/f', 'This curl command is not a download (POST).'],
  ['curl "https://a.example/f', 'A quotation mark in this curl command isn’t closed.'],
  ['curl https://a/1 https://a/2', 'This curl command has several addresses. Put each on a line of its own.'],
])('says why %s can’t be taken over', (command, reason) => {
  const link = parseLink(command)
  if (reason === null) expect(link).toBeNull()
  else expect(link).toMatchObject({ kind: 'refused', reason })
})

test.each([
  ['https://', 'The link is incomplete. Copy all of it.', '链接不完整。请复制完整的链接。'],
  [
    'https://a.example/film one.mov',
    'The link has a space in it. Put each link on a line of its own, and write %20 for a space.',
    '链接中有空格。请每行只写一个链接，并将空格写成 %20。',
  ],
  [
    'curl -d a=b https://a.example/f',
    'Sluice can’t use the option -d of this curl command.',
    '无法使用此 curl 命令的选项 -d',
  ],
])('says in the language of the window what is wrong with %s', (link, english, chinese) => {
  const resolved = resolveLink(link, [], null)
  const said = () => (resolved.kind === 'refused' ? worded(resolved.reason) : null)
  expect(said()).toBe(english)
  // The sheet that shows it may be open while another language is chosen.
  setLanguage(languageOf('zh-CN'))
  onTestFinished(() => setLanguage(languageOf('en')))
  expect(said()).toContain(chinese)
})

test('the command line says the same as the window', () => {
  const cataloged = (fault: string) => ENGLISH[`commands.link.${fault}` as MessageKey]
  for (const [fault, words] of Object.entries(LINK_FAULTS)) expect(cataloged(fault)).toBe(words)
})
