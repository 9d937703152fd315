import { expect, it } from 'vitest'
import { hideNames, redact } from '../../electron/report/redact.ts'

it.each([
  ['Authorization: STORAGE AK:c2ln', 'Authorization: [removed]'],
  ['{"authorization":"STORAGE AK:c2ln"}', '{"authorization":[removed]'],
  ['GET https://s.example.com/a?X-Signature=abc&b=1 failed', 'GET https://s.example.com/a?[removed] failed'],
  ['https://me:pass@example.com/a', 'https://[removed]@example.com/a'],
  ['secretAccessKey: "abc", next', 'secretAccessKey: "[removed]", next'],
  ['token=abc', 'token=[removed]'],
  ['plain words', 'plain words'],
])('writes %s as %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

it('hides names that are known, and what looks like one', () => {
  const text = [
    "request: ENOENT: no such file or directory, open '/srv/film/a.mov'",
    'at https://s.example.com/media/a.mov',
    'Refused “Studio” and media/clip.mov, clip.mov',
    'at start (/home/ann/sluice/out/main.js:1:2)',
    String.raw`EPERM 'C:\Users\ann\x'`,
  ].join('\n')
  expect(hideNames(text, ['clip.mov', 'media/clip.mov', 'Studio', 'a'], '/home/ann').split('\n')).toEqual([
    "request: ENOENT: no such file or directory, open '[path]'",
    'at [address]',
    'Refused “[name]” and [name], [name]',
    'at start (~/sluice/out/main.js:1:2)',
    "EPERM '[path]'",
  ])
})
