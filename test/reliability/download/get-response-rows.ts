import type { Fault, FaultRule } from '../../support/fault-server/fault-rules.ts'
import { MIB } from '../../../shared/limits.ts'
import {
  always,
  busy,
  cases,
  DATE,
  DONE,
  get,
  IN_FLIGHT,
  LOGIN_PAGE,
  middle,
  once,
  ranged,
  refusal,
  SIZE,
  type FaultCase,
} from '../fault-case.ts'

/**
 * What a response of another version brings until it is left: at most all that is asked for after the first lease. The
 * look at a link takes another byte.
 */
const REFUSED = SIZE - 8 * MIB + 1
const PAGE_WORDS = /A web page answers instead of Studio\. Open a browser: this network may want you to sign in/

/** Rows of the fault matrix in which the answer is another one than hoped for, by their names there. */
export const RESPONSE_ROWS: Readonly<Record<string, readonly FaultCase[]>> = {
  'ETag or Last-Modified changed mid-download': [
    // What the service says when it is asked again is believed: it costs nothing that is here.
    ...[false, true].flatMap((asLink) =>
      cases(
        { ends: DONE, asLink, says: /changed on the server[^]*still there as it was/, wastesBytes: REFUSED },
        Object.fromEntries(
          Object.entries({
            'another ETag': once({ kind: 'headers', set: { ETag: '"0123456789abcdef0123456789abcdef"' } }),
            'no ETag any more': once({ kind: 'headers', set: { ETag: null } }),
            'a weak ETag': once({ kind: 'headers', set: { ETag: 'W/"x"' } }),
            'another Last-Modified': once({ kind: 'headers', set: { 'Last-Modified': DATE } }),
          } satisfies Record<string, readonly FaultRule[]>).map(([name, rules]) => [
            `${name}${asLink ? ', of a link' : ''}, and then as before`,
            rules,
          ]),
        ),
      ),
    ),
    ...cases(
      { ends: DONE, onResume: true, wastesBytes: IN_FLIGHT },
      {
        'in something else than a page, which names none': once(
          { kind: 'response', status: 200, headers: { 'content-type': 'application/json' }, body: '{"login":"first"}' },
          get,
        ),
      },
    ),
    ...cases(
      { ends: 'changed-on-server', says: /The object changed on the server/ },
      {
        'with every response': [1, 2, 3, 4, 5].map((n) => ({
          when: { covers: 9 * MIB + 1 },
          times: n,
          fault: { kind: 'headers', set: { ETag: `"${n}"` } },
        })),
      },
    ),
  ],
  'A login page of the network': [
    ...cases(
      { ends: DONE, onResume: true, wastesBytes: IN_FLIGHT, says: PAGE_WORDS },
      {
        'that has a version of its own': [
          { when: get, times: 4, fault: { ...LOGIN_PAGE, headers: { ...LOGIN_PAGE.headers, etag: '"5f3-1"' } } },
        ],
      },
    ),
    ...[false, true].flatMap((asLink) =>
      cases(
        { ends: DONE, asLink, wastesBytes: IN_FLIGHT, says: /returned 200 with a web page/ },
        { [`in the middle, for a ${asLink ? 'link' : 'place'}`]: once(LOGIN_PAGE) },
      ),
    ),
    ...cases(
      { ends: DONE, asLink: true, wastesBytes: IN_FLIGHT, says: PAGE_WORDS },
      { 'before a link': [{ when: get, times: 4, fault: LOGIN_PAGE }] },
    ),
    ...cases(
      { ends: DONE, wastesBytes: IN_FLIGHT, says: PAGE_WORDS },
      { 'before a place': [{ when: get, times: 4, fault: LOGIN_PAGE }] },
    ),
    ...cases(
      { ends: DONE, onResume: true, wastesBytes: IN_FLIGHT, says: PAGE_WORDS },
      {
        'on resume': [{ when: get, times: 4, fault: LOGIN_PAGE }],
        'on another host': [
          {
            when: get,
            times: 4,
            fault: { kind: 'response', status: 302, headers: { location: 'http://hotel.example/' } },
          },
        ],
      },
    ),
  ],
  '304 on resume': [
    ...cases({ ends: DONE, onResume: true }, { once: once({ kind: 'response', status: 304 }, get) }),
    ...cases(
      { ends: 'range-not-answered', onResume: true, says: /response does not match the request/ },
      { always: always({ kind: 'response', status: 304 }) },
    ),
  ],
  '403 expired signature / clock skew': cases(
    { ends: 'link-expired', asLink: true, says: /The link has expired/ },
    {
      'in the words of S3': always(refusal(403, 'AccessDenied', 'Request has expired'), middle),
      'as a code': always(refusal(400, 'ExpiredToken'), middle),
      'as 410': always({ kind: 'response', status: 410 }, middle),
    },
  ),
  '403 denied / bad key': cases(
    { ends: 'access-denied', says: /doesn’t allow this/ },
    {
      'from the first on': always(refusal(403, 'AccessDenied')),
      'in the middle': always(refusal(403, 'AccessDenied'), middle),
      'without a word': always({ kind: 'response', status: 403 }),
    },
  ),
  '404 mid-way (GET)': cases(
    { ends: 'no-such-key', says: /no such file on the server/ },
    {
      named: always(refusal(404, 'NoSuchKey'), middle),
      unnamed: always({ kind: 'response', status: 404, body: '<html>' }, middle),
    },
  ),
  '412 (S3 If-Match)': [
    ...cases(
      { ends: DONE, asLink: true, says: /changed on the server[^]*still there as it was/, wastesBytes: REFUSED },
      { once: once({ kind: 'response', status: 412 }) },
    ),
    ...cases(
      { ends: 'changed-on-server', asLink: true },
      { always: always({ kind: 'response', status: 412 }, middle) },
    ),
  ],
  '416': [
    ...cases(
      { ends: DONE, onResume: true, wastesBytes: SIZE },
      {
        'of the same size': once(
          { kind: 'response', status: 416, headers: { 'content-range': `bytes */${SIZE}` } },
          get,
        ),
        'of a smaller size': once({ kind: 'response', status: 416, headers: { 'content-range': 'bytes */7' } }, get),
        'of no size': once({ kind: 'response', status: 416 }, get),
        'to every range': always(
          { kind: 'response', status: 416, headers: { 'content-range': `bytes */${SIZE}` } },
          ranged,
        ),
      },
    ),
  ],
  '429/503 + Retry-After': cases(
    { ends: DONE, says: /Server busy \((503|429|400)\) · trying again in 0:03/, wastesBytes: IN_FLIGHT },
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
      { ends: DONE, says: /The server has a problem \(50[02]\)/, wastesBytes: IN_FLIGHT },
      {
        'twelve of them': [{ when: get, times: 12, fault: { kind: 'response', status: 500 } }],
        'of a gateway, in HTML': [
          { when: middle, times: 2, fault: { kind: 'response', status: 502, body: '<html>502</html>' } },
        ],
      },
    ),
    ...cases(
      // The rest of such a text is not waited for.
      { ends: DONE, says: /The server has a problem \(50[02]\)/, wastesBytes: 16_000_000 },
      { 'with 50 MB of text': once({ kind: 'response', status: 500, fillerBytes: 50_000_000 }) },
    ),
  ],
  Redirect: [
    ...cases(
      { ends: DONE, asLink: true, wastesBytes: IN_FLIGHT },
      {
        'within the host, for each range': always(
          { kind: 'response', status: 302, headers: { location: '?moved' } },
          { ...get, query: { moved: false } },
        ),
        'to another host, for each range': (endpoint) =>
          always(
            {
              kind: 'response',
              status: 307,
              headers: { location: `${endpoint.replace('127.0.0.1', 'localhost')}/demo/data/set.bin?moved` },
            },
            { ...get, query: { moved: false } },
          ),
      },
    ),
    ...cases(
      { ends: 'refused-by-server', asLink: true, says: /leads in a circle/ },
      { 'for ever': always({ kind: 'response', status: 302, headers: { location: '' } }) },
    ),
    ...cases(
      { ends: 'refused-by-server' },
      {
        'of a signed request': always({
          kind: 'response',
          status: 307,
          headers: { location: 'http://other.invalid/' },
        }),
      },
    ),
  ],
  'Proxy 407': cases(
    { ends: 'proxy-sign-in', says: /proxy requires sign-in/ },
    {
      'for every request': always({
        kind: 'response',
        status: 407,
        headers: { 'proxy-authenticate': 'Basic realm=x' },
      }),
    },
  ),
}
