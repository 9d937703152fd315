import { MIB } from '../../shared/limits.ts'
import type { TransferErrorCode } from '../../shared/transfer-error.ts'
import type { Verification } from '../../shared/transfer.ts'
import type { Fault, FaultRule, RequestMatch } from '../support/fault-rules.ts'

/** Size of the object that every case downloads. */
export const SIZE = 10 * MIB + 5

/** One way in which one row of the fault matrix happens, and what must come of it. */
export interface FaultCase {
  readonly name: string
  /** `endpoint` is the proxy's address. */
  readonly rules: (endpoint: string) => readonly FaultRule[]
  readonly asLink?: boolean
  /** The rules begin after a pause with some bytes there already. */
  readonly onResume?: boolean
  readonly ends: Verification | TransferErrorCode
  /** What a person reads meanwhile or at the end: history, row or error. */
  readonly says?: RegExp
  /** How many bytes may be fetched twice at most; left out: any. */
  readonly wastesBytes?: number
}

/** Requests for bytes in the middle of the object. */
const middle: RequestMatch = { method: 'GET', covers: 9 * MIB + 1 }
const get: RequestMatch = { method: 'GET' }
const ranged: RequestMatch = { method: 'GET', ranged: true }

const once = (fault: Fault, when = middle) => [{ when, times: 1, fault }]
const always = (fault: Fault, when = get) => [{ when, fault }]
const contentRange = (value: string | null): Fault => ({ kind: 'headers', set: { 'Content-Range': value } })
const refusal = (status: number, code: string, message = ''): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ Error: { Code: code, Message: message } }),
})
const busy = (status: number, headers: Readonly<Record<string, string>>): Fault => ({ kind: 'answer', status, headers })

const DONE = 'etag-md5'
const LOST = /connection was lost|ended early|shorter than/i
const OTHER_BYTES = /other bytes than it was asked for/
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
/** What a break may cost: what was on its way in the connections. */
const IN_FLIGHT = 2 * MIB

type Variant = Omit<FaultCase, 'rules' | 'name'>
const cases = (
  shared: Variant,
  faults: Readonly<Record<string, readonly FaultRule[] | ((endpoint: string) => readonly FaultRule[])>>,
): FaultCase[] =>
  Object.entries(faults).map(([name, rules]) => ({
    name,
    ...shared,
    rules: typeof rules === 'function' ? rules : () => rules,
  }))

/** The rows of the fault matrix that concern GET and that a server can play, by their names there. */
export const SERVED_ROWS: Readonly<Record<string, readonly FaultCase[]>> = {
  'Connection reset at byte N': cases(
    { ends: DONE, says: LOST, wastesBytes: IN_FLIGHT },
    {
      'before the request is read': once({ kind: 'reset', at: 'request' }),
      'before the answer': once({ kind: 'reset', at: 'response' }),
      'in its head': once({ kind: 'reset', at: 'head' }),
      'after its head': once({ kind: 'reset', at: 'headers' }),
      'at byte 0': once({ kind: 'reset', at: { responseBytes: 0 } }),
      'at byte 1': once({ kind: 'reset', at: { responseBytes: 1 } }),
      'at byte 700,001': once({ kind: 'reset', at: { responseBytes: 700_001 } }),
      'five times in a row': [{ when: middle, times: 5, fault: { kind: 'reset', at: { responseBytes: 100_000 } } }],
    },
  ),
  'Stall (no bytes)': cases(
    { ends: DONE, says: /No answer came|stalled|Can’t reach/, wastesBytes: IN_FLIGHT },
    {
      'before the head': once({ kind: 'stall', at: 'response' }),
      'in the head': once({ kind: 'stall', at: 'head' }),
      'after the head': once({ kind: 'stall', at: 'headers' }),
      'in the body': once({ kind: 'stall', at: { responseBytes: 300_000 } }),
    },
  ),
  'Slow-loris / trickle': cases(
    { ends: DONE, says: /next to nothing/, wastesBytes: IN_FLIGHT },
    { 'after 100 kB': once({ kind: 'limit', bytesPerSecond: 300, fromByte: 100_000 }) },
  ),
  'Body shorter than Content-Length': cases(
    { ends: DONE, says: LOST, wastesBytes: IN_FLIGHT },
    {
      'closed at once': once({ kind: 'close', at: 'headers' }),
      'closed in the middle': once({ kind: 'close', at: { responseBytes: 300_000 } }),
      'chunked without its last chunk': [
        ...once({ kind: 'framing', as: 'chunked' }),
        ...once({ kind: 'close', at: { responseBytes: 300_000 } }),
      ],
    },
  ),
  'Truncated body, Content-Length agrees with it': [
    ...cases({ ends: DONE, says: OTHER_BYTES }, { 'of a range': once({ kind: 'shorten', bytes: 200_000 }) }),
    ...cases(
      { ends: 'range-not-answered', onResume: true, says: OTHER_BYTES },
      {
        'of the whole object, whose size is known': [
          ...always({ kind: 'ignore-range' }),
          ...always({ kind: 'shorten', bytes: 5 * MIB }),
        ],
      },
    ),
    ...cases(
      { ends: 'final-mismatch', says: /doesn’t match its origin/ },
      {
        'of the whole object, from the beginning': [
          ...always({ kind: 'ignore-range' }),
          ...always({ kind: 'shorten', bytes: 5 * MIB }),
        ],
      },
    ),
  ],
  'No Content-Length, no chunking, early close': [
    ...cases(
      { ends: DONE, says: LOST, wastesBytes: IN_FLIGHT },
      {
        'of a range': [
          ...once({ kind: 'framing', as: 'until-close' }),
          ...once({ kind: 'close', at: { responseBytes: 300_000 } }),
        ],
      },
    ),
    ...cases(
      { ends: 'final-mismatch', says: /doesn’t match its origin/ },
      {
        'of the whole object': [
          ...always({ kind: 'ignore-range' }),
          ...always({ kind: 'framing', as: 'until-close' }),
          ...always({ kind: 'close', at: { responseBytes: 300_000 } }),
        ],
      },
    ),
  ],
  'Extra bytes beyond expected': cases(
    { ends: DONE },
    {
      'that Content-Length counts': once({ kind: 'lengthen', bytes: 300_000 }),
      'in chunks': [...once({ kind: 'lengthen', bytes: 300_000 }), ...once({ kind: 'framing', as: 'chunked' })],
      'until the close': [
        ...once({ kind: 'lengthen', bytes: 300_000 }),
        ...once({ kind: 'framing', as: 'until-close' }),
      ],
    },
  ),
  'Wrong / invalid Content-Range, wrong unit, multipart/byteranges': [
    ...cases(
      { ends: DONE, wastesBytes: IN_FLIGHT },
      {
        'another start': once(contentRange(`bytes 0-8388607/${SIZE}`)),
        'another end': once(contentRange(`bytes 8388608-8388609/${SIZE}`)),
        'another total': once(contentRange(`bytes 8388608-${SIZE - 1}/${SIZE + 1}`)),
        'an unknown total': once(contentRange(`bytes 8388608-${SIZE - 1}/*`)),
        'a last byte before the first': once(contentRange(`bytes 9-8/${SIZE}`)),
        'a last byte past the total': once(contentRange(`bytes 8388608-${SIZE}/${SIZE}`)),
        'another unit': once(contentRange(`items 8388608-${SIZE - 1}/${SIZE}`)),
        'two of them': once(contentRange(`bytes 0-1/${SIZE}, bytes 0-1/${SIZE}`)),
        'numbers beyond counting': once(contentRange('bytes 99999999999999999999-999999999999999999999/*')),
        garbage: once(contentRange('\u00ff;;;')),
        none: once(contentRange(null)),
        'multipart/byteranges once': once({ kind: 'multipart' }),
      },
    ),
    ...cases(
      { ends: DONE, says: /read from its beginning|other bytes|several ranges|Content-Range/ },
      {
        'garbage each time': always(contentRange('bytes'), ranged),
        'multipart/byteranges each time': always({ kind: 'multipart' }, ranged),
      },
    ),
  ],
  '200 to a ranged request': [
    ...cases({ ends: DONE, wastesBytes: 0 }, { 'from the first on': always({ kind: 'ignore-range' }) }),
    ...cases(
      { ends: DONE },
      {
        'in the middle': always({ kind: 'ignore-range' }, middle),
        'and the stream breaks': [
          ...always({ kind: 'ignore-range' }),
          { when: get, times: 2, fault: { kind: 'reset', at: { responseBytes: 4 * MIB } } },
        ],
      },
    ),
    ...cases({ ends: DONE, onResume: true }, { 'to a resumed one': always({ kind: 'ignore-range' }) }),
  ],
  '206 with wrong start / shorter range': cases(
    { ends: DONE, wastesBytes: IN_FLIGHT },
    {
      'bytes from further ahead': once({ kind: 'shift-range', startBy: 1 }),
      'bytes from before': once({ kind: 'shift-range', startBy: -1 }),
      'fewer bytes': once({ kind: 'shift-range', endBy: -1000 }),
    },
  ),
  'ETag or Last-Modified changed mid-download': [
    ...cases(
      { ends: DONE, says: /changed on the server/ },
      {
        'another ETag': once({ kind: 'headers', set: { ETag: '"0123456789abcdef0123456789abcdef"' } }),
        'no ETag any more': once({ kind: 'headers', set: { ETag: null } }),
        'a weak ETag': once({ kind: 'headers', set: { ETag: 'W/"x"' } }),
        'another Last-Modified': once({ kind: 'headers', set: { 'Last-Modified': DATE } }),
      },
    ),
    ...cases(
      { ends: 'changed-on-server', says: /The object changed on the server/ },
      {
        'with every answer': [1, 2, 3, 4, 5].map((n) => ({
          when: { ...get, covers: 9 * MIB + 1 },
          times: n,
          fault: { kind: 'headers', set: { ETag: `"${n}"` } },
        })),
      },
    ),
  ],
  '304 on resume': [
    ...cases({ ends: DONE, onResume: true }, { once: once({ kind: 'answer', status: 304 }, get) }),
    ...cases(
      { ends: 'range-not-answered', onResume: true, says: /other bytes than it was asked for/ },
      { always: always({ kind: 'answer', status: 304 }) },
    ),
  ],
  '403 expired signature / clock skew': cases(
    { ends: 'link-expired', asLink: true, says: /The link has expired. What was downloaded is kept/ },
    {
      'in the words of S3': always(refusal(403, 'AccessDenied', 'Request has expired'), middle),
      'as a code': always(refusal(400, 'ExpiredToken'), middle),
      'as 410': always({ kind: 'answer', status: 410 }, middle),
    },
  ),
  '403 denied / bad key': cases(
    { ends: 'access-denied', says: /doesn’t allow this/ },
    {
      'from the first on': always(refusal(403, 'AccessDenied')),
      'in the middle': always(refusal(403, 'AccessDenied'), middle),
      'without a word': always({ kind: 'answer', status: 403 }),
    },
  ),
  '404 mid-way (GET)': cases(
    { ends: 'no-such-key', says: /gone from the server/ },
    {
      named: always(refusal(404, 'NoSuchKey'), middle),
      unnamed: always({ kind: 'answer', status: 404, body: '<html>' }, middle),
    },
  ),
  '412 (S3 If-Match)': [
    ...cases(
      { ends: 'size-only', asLink: true, says: /changed on the server/ },
      { once: once({ kind: 'answer', status: 412 }) },
    ),
    ...cases({ ends: 'changed-on-server', asLink: true }, { always: always({ kind: 'answer', status: 412 }, middle) }),
  ],
  '416': [
    ...cases(
      { ends: DONE, onResume: true, wastesBytes: SIZE },
      {
        'of the same size': once({ kind: 'answer', status: 416, headers: { 'content-range': `bytes */${SIZE}` } }, get),
        'of a smaller size': once({ kind: 'answer', status: 416, headers: { 'content-range': 'bytes */7' } }, get),
        'of no size': once({ kind: 'answer', status: 416 }, get),
        'to every range': always(
          { kind: 'answer', status: 416, headers: { 'content-range': `bytes */${SIZE}` } },
          ranged,
        ),
      },
    ),
  ],
  '429/503 + Retry-After': cases(
    { ends: DONE, says: /Server busy · trying again in 0:03/, wastesBytes: IN_FLIGHT },
    {
      '503, seconds': once(busy(503, { 'retry-after': '3' })),
      '429, seconds': once(busy(429, { 'retry-after': '3' })),
      'a date': once(busy(503, { date: DATE, 'retry-after': 'Sun, 06 Nov 1994 08:49:40 GMT' })),
      'a date of RFC 850': once(busy(503, { date: DATE, 'retry-after': 'Sunday, 06-Nov-94 08:49:40 GMT' })),
      'a date of asctime': once(busy(503, { date: DATE, 'retry-after': 'Sun Nov  6 08:49:40 1994' })),
      'SlowDown of any status': once({ ...refusal(400, 'SlowDown'), headers: { 'retry-after': '3' } } as Fault),
    },
  ),
  '500 bursts': [
    ...cases(
      { ends: DONE, says: /The server stopped answering/, wastesBytes: IN_FLIGHT },
      {
        'twelve of them': [{ when: get, times: 12, fault: { kind: 'answer', status: 500 } }],
        'of a gateway, in HTML': [
          { when: middle, times: 2, fault: { kind: 'answer', status: 502, body: '<html>502</html>' } },
        ],
      },
    ),
    ...cases(
      // The rest of such a text is not waited for.
      { ends: DONE, says: /The server stopped answering/, wastesBytes: 16 * MIB },
      { 'with 50 MB of text': once({ kind: 'answer', status: 500, fillerBytes: 50_000_000 }) },
    ),
  ],
  Redirect: [
    ...cases(
      { ends: 'size-only', asLink: true, wastesBytes: IN_FLIGHT },
      {
        'within the host, for each range': always(
          { kind: 'answer', status: 302, headers: { location: '?moved' } },
          { ...get, query: { moved: false } },
        ),
        'to another host, for each range': (endpoint) =>
          always(
            {
              kind: 'answer',
              status: 307,
              headers: { location: `${endpoint.replace('127.0.0.1', 'localhost')}/demo/data/set.bin?moved` },
            },
            { ...get, query: { moved: false } },
          ),
      },
    ),
    ...cases(
      { ends: 'refused-by-server', asLink: true, says: /refused the request/ },
      { 'for ever': always({ kind: 'answer', status: 302, headers: { location: '' } }) },
    ),
    ...cases(
      { ends: 'refused-by-server' },
      {
        'of a signed request': always({ kind: 'answer', status: 307, headers: { location: 'http://other.invalid/' } }),
      },
    ),
  ],
  'Proxy 407': cases(
    { ends: 'proxy-sign-in', says: /proxy on the way wants a name and password/ },
    {
      'for every request': always({ kind: 'answer', status: 407, headers: { 'proxy-authenticate': 'Basic realm=x' } }),
    },
  ),
}

/** The other rows that concern GET: what the machine does to a download. By name, with the test that plays them. */
export const MACHINE_ROWS: Readonly<Record<string, { readonly file: string; readonly test: string }>> = {
  'DNS failure / offline': { file: 'reliability/download-network.test.ts', test: 'T53:' },
  'TLS error': { file: 'reliability/download-network.test.ts', test: 'T68:' },
  'Disk full (data or DB volume)': { file: 'reliability/download-disk.test.ts', test: 'T56:' },
  'Read-only folder / EACCES / EROFS': { file: 'reliability/download-disk.test.ts', test: 'T57:' },
  'Removed drive': { file: 'engine/download-resume.test.ts', test: 'a missing folder may be a drive that comes back' },
  'Target renamed/deleted/folder gone': { file: 'reliability/download-disk.test.ts', test: 'T57: a folder deleted' },
  'Target appears meanwhile': { file: 'reliability/download-disk.test.ts', test: 'T29:' },
  'Power loss / kill -9 anywhere': { file: 'crash/kill-cli.test.ts', test: 'kill' },
  'Corrupt DB': { file: 'engine/checkpoint/sqlite-checkpoint-store.test.ts', test: 'garbage' },
  'Old / newer state schema': { file: 'engine/checkpoint/sqlite-checkpoint-store.test.ts', test: 'newer' },
  'Two app instances': { file: 'reliability/download-cli.test.ts', test: 'T59:' },
  'Sleep/wake': { file: 'reliability/download-network.test.ts', test: 'T54:' },
  'Network switch / VPN': { file: 'reliability/download-network.test.ts', test: 'T54:' },
  'Time jump': { file: 'reliability/download-network.test.ts', test: 'T55:' },
}
