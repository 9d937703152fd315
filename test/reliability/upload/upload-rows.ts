import { KEY } from '../../support/window/upload-desk.ts'
import { LOGIN_PAGE } from '../fault-case.ts'
import {
  abort,
  always,
  response,
  anyPart,
  cases,
  complete,
  create,
  everywhere,
  listParts,
  listUploads,
  look,
  once,
  overwritePart,
  part,
  refusal,
  type UploadCase,
} from './upload-case.ts'

const AGAIN = /Trying again: NetworkError/
const GATEWAY = response(404, '404 page not found', { 'content-type': 'text/plain' })
const RETRY_LATER = { 'retry-after': '3' }
const A_DAY_MS = 24 * 3600 * 1000
const WRONG_ETAG = { ETag: `"${'0'.repeat(32)}"` }

/** Rows of the fault matrix that concern uploads and that a server can play, by their names there. */
export const UPLOAD_ROWS: Readonly<Record<string, readonly UploadCase[]>> = {
  'Connection reset while sending part': cases(
    { says: AGAIN, partsSent: 3 },
    {
      'before its bytes': once(part, { kind: 'reset', at: 'request' }),
      'after all of them': once(part, { kind: 'reset', at: 'sent' }),
      'after the service had it all': once(part, { kind: 'drop-response' }),
      'in the head of the response': once(part, { kind: 'reset', at: 'head' }),
      'closed in good order': once(part, { kind: 'close', at: 'sent' }),
    },
  ),
  'Stall (no bytes)': cases(
    { says: AGAIN },
    {
      'of a part': always({ ...part, attempt: 1 }, { kind: 'stall', at: 'request' }),
      'of create': once(create, { kind: 'stall', at: 'request' }),
      'of a listing': once(listParts, { kind: 'stall', at: 'request' }),
      'of a look': once(look, { kind: 'stall', at: 'request' }),
    },
  ).map((played) => (played.name === 'of a part' ? { ...played, partsSent: 3 } : played)),
  'Body shorter than Content-Length': cases(
    { says: AGAIN },
    {
      'of create': once(create, response(200, '{"Buc', { 'content-length': '80' })),
      'of a listing of parts': once(listParts, response(200, '{"Parts":[', { 'content-length': '80' })),
      'of a listing of uploads': once(listUploads, response(200, '{"Upl', { 'content-length': '80' })),
    },
  ),
  'Wrong / invalid responses': [
    ...cases(
      { says: /Trying again: BadAnswer/ },
      {
        'create without an uploadId': once(create, response(200, '{}')),
        'create with HTML': once(create, response(200, '<html>Sign in</html>')),
        'parts that are no list': once(listParts, response(200, '[]')),
        'uploads in HTML': once(listUploads, response(200, '<html>')),
      },
    ),
    ...cases(
      { says: /Trying again: BadAnswer/, partsSent: 3 },
      { 'a part without an ETag': once(part, { kind: 'headers', set: { ETag: null } }) },
    ),
  ],
  'A login page of the network': [
    ...cases(
      { says: /Trying again: NetworkSignIn/ },
      everywhere(LOGIN_PAGE, ['create', 'listUploads', 'listParts', 'look']),
    ),
    ...cases({ says: /Trying again: NetworkSignIn/, partsSent: 3 }, everywhere(LOGIN_PAGE, ['part'])),
    ...cases(
      { says: /Trying again: NetworkSignIn/, partsSent: 5 },
      {
        'to part, with an ETag of its own': [
          { when: part, times: 3, fault: { ...LOGIN_PAGE, headers: { ...LOGIN_PAGE.headers, etag: '"5f3-1"' } } },
        ],
      },
    ),
    ...cases({ says: /ended with NetworkSignIn/ }, everywhere(LOGIN_PAGE, ['complete'])),
  ],
  'A gateway in front of a service that restarts': [
    ...cases(
      { says: /Trying again: AnsweredInFront/, partsSent: 3 },
      { 'to a part': once(part, GATEWAY), 'to a part, in HTML': once(part, { ...GATEWAY, body: '<html>404</html>' }) },
    ),
    ...cases(
      { fails: 'upload-lost' },
      {
        'to a part, while the list of uploads lacks ours': (desk) => [
          { when: part, times: 1, first: () => desk.others.expire(), fault: GATEWAY },
        ],
      },
    ),
    ...cases(
      { says: /ended with AnsweredInFront/ },
      {
        'to complete, and to all that is asked then': (desk) => [
          { when: { test: () => desk.proxy.requests(complete).length > 0 }, times: 20, fault: GATEWAY },
        ],
      },
    ),
  ],
  '429/503 + Retry-After': [
    ...cases(
      { says: /Trying again/ },
      everywhere(response(503, '', RETRY_LATER), ['create', 'listUploads', 'listParts', 'look']),
    ),
    ...cases(
      { says: /Trying again/ },
      { 'SlowDown to create': once(create, refusal(503, 'SlowDown', RETRY_LATER)), '429': once(create, response(429)) },
    ),
    ...cases({ says: /Trying again/, partsSent: 3 }, everywhere(response(503, '', RETRY_LATER), ['part'])),
    ...cases({ says: /ended with SlowDown/ }, { 'to complete': once(complete, refusal(503, 'SlowDown', RETRY_LATER)) }),
  ],
  '500 bursts': [
    ...cases(
      { says: /Trying again/ },
      {
        'of create': [{ when: create, times: 4, fault: response(500) }],
        'of complete': [{ when: complete, times: 4, fault: response(500) }],
      },
    ),
    ...cases(
      { says: /Trying again/, partsSent: 8 },
      { 'of parts': [{ when: anyPart, times: 6, fault: refusal(500, 'InternalError') }] },
    ),
    ...cases({ says: /Trying again/, partsSent: 3 }, { 'of a gateway': once(part, response(502, '<html>502</html>')) }),
  ],
  '403 expired signature / clock skew': cases({}, { 'a day ahead': [], 'a day behind': [] }).map((played) => ({
    ...played,
    clockOffMs: played.name === 'a day ahead' ? A_DAY_MS : -A_DAY_MS,
  })),
  '403 denied / bad key': [
    ...cases(
      { fails: 'access-denied' },
      {
        'to create': always(create, refusal(403, 'AccessDenied')),
        'to complete': always(complete, refusal(403, 'AccessDenied')),
      },
    ).map((played) => ({ ...played, partsSent: played.name === 'to create' ? 0 : 2 })),
    ...cases(
      { fails: 'key-not-accepted', partsSent: 0 },
      { 'a bad key': always({}, refusal(403, 'SignatureDoesNotMatch')) },
    ),
    // What may not be looked at is gone without.
    ...cases({}, { 'to list uploads': always(listUploads, refusal(403, 'AccessDenied')) }),
    ...cases({}, { 'to list parts': always(listParts, refusal(403, 'AccessDenied')) }),
  ],
  Redirect: cases(
    { fails: 'refused-by-server' },
    { 'of create': always(create, response(307, '', { location: 'http://127.0.0.1:1/' })) },
  ).map((played) => ({ ...played, partsSent: 0 })),
  'NoSuchUpload before Complete': cases(
    { fails: 'upload-lost' },
    { 'to a part': once({ ...anyPart, query: { partNumber: 2 } }, refusal(404, 'NoSuchUpload')) },
  ).map((played) => ({ ...played, partsSent: 2 })),
  InvalidPart: [
    ...cases(
      { says: /rejected the list of parts \(InvalidPart\)/, partsSent: 3 },
      {
        'another client sent part 2 anew': (desk) => [
          { when: complete, times: 1, first: () => overwritePart(desk, KEY, 2), fault: refusal(400, 'InvalidPart') },
        ],
      },
    ),
    ...cases(
      { says: /rejected the list of parts/ },
      { 'once, though nothing is wrong': once(complete, refusal(400, 'InvalidPart')) },
    ),
    ...cases(
      { fails: 'refused-by-server' },
      {
        always: always(complete, refusal(400, 'InvalidPart')),
        'the wrong order': always(complete, refusal(400, 'InvalidPartOrder')),
      },
    ),
  ],
  EntityTooSmall: cases({ fails: 'internal' }, { always: always(complete, refusal(400, 'EntityTooSmall')) }),
  'InvalidDigest / BadDigest': [
    ...cases(
      { says: /Trying again: IncompleteBody/, partsSent: 3 },
      { 'the end of a part was lost on the way': once(part, refusal(400, 'IncompleteBody')) },
    ),
    ...cases(
      { says: /arrived damaged/, partsSent: 3 },
      {
        'of the hash in the signature': once(part, refusal(400, 'XAmzContentSHA256Mismatch')),
        'of a part, once': once(part, refusal(400, 'InvalidDigest')),
        'in the words of S3': once(part, refusal(400, 'BadDigest')),
      },
    ),
    ...cases({ fails: 'part-damaged' }, { 'of complete, always': always(complete, refusal(400, 'InvalidDigest')) }),
    ...cases({}, { 'of complete, once': once(complete, refusal(400, 'BadDigest')) }),
  ],
  'Part ETag ≠ local MD5': cases(
    { says: /bytes differ from what was sent/, partsSent: 3 },
    { once: once(part, { kind: 'headers', set: WRONG_ETAG }) },
  ),
  '200-with-error on Complete': [
    ...cases(
      { says: /ended with \w+; checking the result/ },
      {
        'InternalError inside': once(complete, refusal(200, 'InternalError')),
        'an unknown error inside': once(complete, refusal(200, 'WeAreSorry')),
        'spaces, then an error': once(complete, response(200, `${' '.repeat(2000)}{"Error":{"Code":"SlowDown"}}`)),
        'XML with an error': once(complete, response(200, '<Error><Code>InternalError</Code></Error>')),
        'nothing inside': once(complete, response(200)),
        'nothing but spaces': once(complete, response(200, ' \n \n ')),
        'an empty object': once(complete, response(200, '{}')),
        'a list': once(complete, response(200, '[]')),
        'a page to sign in': once(complete, response(200, '<html>Welcome to the airport</html>')),
        'no ETag': once(complete, response(200, JSON.stringify({ Location: '/', Bucket: 'demo', Key: KEY }))),
        'a response about another key': once(complete, response(200, JSON.stringify({ Key: 'x', ETag: '"1-2"' }))),
        'after it was done': once(complete, { ...response(200), afterTarget: true }),
      },
    ),
  ],
  'Duplicate Complete': cases(
    { says: /proves that the upload was completed/ },
    { 'NoSuchUpload to the second': once(complete, { kind: 'drop-response' }) },
  ),
}

/** What can happen to the abort of an upload that a person canceled. It is repeated until it is true. */
export const ABORT_FAULTS = {
  reset: once(abort, { kind: 'reset', at: 'request' }),
  'lost response': once(abort, { kind: 'drop-response' }),
  '503': [{ when: abort, times: 3, fault: response(503) }],
  'done in name only': once(abort, response(204)),
  'listed still for a while': [
    { when: listParts, times: 2, fault: response(200, JSON.stringify({ Parts: [], IsTruncated: false })) },
  ],
  'gone already': once(abort, { ...refusal(404, 'NoSuchUpload'), afterTarget: true }),
}
