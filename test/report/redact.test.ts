import { expect, it } from 'vitest'
import { redact } from '../../electron/report/redact.ts'

it.each([
  ['Authorization: STORAGE AK:c2ln', 'Authorization: [removed]'],
  ['{"authorization":"STORAGE AK:c2ln"}', '{"authorization":[removed]'],
  ['GET https://s.example.com/a?X-Signature=abc&b=1 failed', 'GET https://s.example.com/a?[removed] failed'],
  ['https://me:pass@example.com/a', 'https://[removed]@example.com/a'],
  ["https://h.example/Anna's%20photos.zip?sv=2022&sig=abc", "https://h.example/Anna's%20photos.zip?[removed]"],
  ['https://user:p@ss@h.example/x', 'https://[removed]@h.example/x'],
  ["https://h.example/a.zip?x=1'y&sig=abc", 'https://h.example/a.zip?[removed]'],
  ['<https://h.example/a#key=abc>', '<https://h.example/a#[removed]'],
  ['https://a.example/b,https://me:pass@c.example/d?e', 'https://a.example/b,https://[removed]@c.example/d?[removed]'],
  ['https://a.example/?to=https://b.example/&sig=abc', 'https://a.example/?[removed]'],
  ['{"url":"https://h.example/a","token":"abc"}', '{"url":"https://h.example/a","token":"[removed]"}'],
  ['secretAccessKey: "abc", next', 'secretAccessKey: "[removed]", next'],
  ['token=abc', 'token=[removed]'],
  ['plain words', 'plain words'],
])('writes %s as %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})
