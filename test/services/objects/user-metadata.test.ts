import { expect, it } from 'vitest'
import { readableMetadata } from '../../../electron/services/objects/user-metadata.ts'

/** As a header field arrives: byte by byte. */
const sent = (text: string) => Buffer.from(text).toString('latin1')

it.each([
  ['plain words', 'plain words'],
  [sent('Zoë im Café ☕'), 'Zoë im Café ☕'],
  ['caf\u00e9', 'café'],
  ['=?UTF-8?B?WsO8cmljaA==?=', 'Zürich'],
  ['=?utf-8?Q?Z=C3=BCrich_West?=', 'Zürich West'],
  ['=?UTF-8?B?WsO8?= =?UTF-8?B?cmljaA==?= 2026', 'Zürich 2026'],
  ['=?x?y?', '=?x?y?'],
])('reads %j as it was meant', (value, meant) => {
  expect(readableMetadata({ note: value })).toEqual({ note: meant })
})
