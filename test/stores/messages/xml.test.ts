import { XMLParser } from 'fast-xml-parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeXml, parseXml } from '../../../electron/stores/messages/xml.ts'

test.each([
  ['<A/>', { name: 'A', text: '', children: [] }],
  [
    '\ufeff<?xml version="1.0"?>\n<!-- a > b -->\n<n:A xmlns:n="u" b=\'>\'>x</n:A>\n',
    { name: 'A', text: 'x', children: [] },
  ],
  ['<A> &lt;&amp;&quot;&apos;&gt;&#13;&#x1F600; </A>', { name: 'A', text: ' <&"\'>\r😀 ', children: [] }],
  ['<A><![CDATA[<b>&amp;]]></A>', { name: 'A', text: '<b>&amp;', children: [] }],
])('reads %j', (document, root) => {
  expect(parseXml(document)).toEqual(root)
})

test.each([
  '',
  'text',
  '<A>',
  '</A>',
  '<A></B>',
  '<A><B></A></B>',
  '<A/><B/>',
  '<A/>text',
  '<A b=c/>',
  '<A',
  '<A><!-- </A>',
  '<!DOCTYPE A [<!ENTITY b "c">]><A>&b;</A>',
])('reads nothing out of %j', (document) => {
  expect(parseXml(document)).toBeNull()
})

test('reads names and values as another parser does', () => {
  const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, trimValues: false, htmlEntities: true })
  const value = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[^\P{C}\n]/gu, ''))
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 5 }), (values) => {
      const document = `<R x="1">${values.map((each) => `<V>${escapeXml(each)}</V>`).join('')}</R>`
      const theirs = parser.parse(document) as { R: { V: string[] } }
      expect(parseXml(document)?.children.map(({ text }) => text)).toEqual(values)
      expect(theirs.R.V).toEqual(values)
    }),
  )
})

test('takes no longer than it must for what is broken', () => {
  expect(parseXml(`<A${' b="c"'.repeat(50_000)}`)).toBeNull()
  expect(parseXml('<A>'.repeat(100_000))).toBeNull()
})
