import { MIB } from '../../../shared/limits.ts'
import type { Fault, FaultRule } from '../../support/fault-server/fault-rules.ts'
import {
  always,
  cases,
  contentRange,
  DONE,
  first,
  get,
  IN_FLIGHT,
  later,
  LOST,
  middle,
  once,
  OTHER_BYTES,
  ranged,
  SIZE,
  type FaultCase,
} from '../fault-case.ts'

/** What ranges other than the first may be answered with; all of it for the smallest object, which has most tails. */
/** The first request asks for 8 MiB; of what is beyond, others ask for. */
const SMALLEST_MIB = 11

function wrongRanges(mib: number): readonly (readonly [string, Fault])[] {
  const sizeBytes = mib * MIB
  const first = [`with the first, ${mib} MiB`, contentRange(`bytes 0-${sizeBytes - 1}/${sizeBytes}`)] as const
  if (mib > SMALLEST_MIB) return [first]
  return [
    first,
    ['with 416', { kind: 'response', status: 416, headers: { 'content-range': `bytes */${sizeBytes}` } }],
    ['without Content-Range', contentRange(null)],
    ['as multipart/byteranges', { kind: 'multipart' }],
  ]
}

/** Wrong bodies that take a second and more each, so that it shows whether they are read to their end. */
const slowly = (fault: Fault): readonly FaultRule[] => [...once(fault), ...once({ kind: 'limit', bytesPerSecond: MIB })]
/** What is on its way of such a one when its head is refused. */
const REFUSED = MIB / 2

/** Bytes are worth taking from it. */
const SLOW_FIRST = always({ kind: 'limit', bytesPerSecond: 2.5 * MIB }, first)

/** Rows of the fault matrix in which connections and bodies go wrong, by their names there. */
export const BODY_ROWS: Readonly<Record<string, readonly FaultCase[]>> = {
  'Connection reset at byte N': [
    ...cases(
      // On a connection that was used before, that is no fault: the service may have closed it meanwhile.
      { ends: DONE, wastesBytes: IN_FLIGHT },
      {
        'before the request is read': once({ kind: 'reset', at: 'request' }),
        'before the response': once({ kind: 'reset', at: 'response' }),
      },
    ),
    ...cases(
      { ends: DONE, says: LOST, wastesBytes: IN_FLIGHT },
      {
        'in its head': once({ kind: 'reset', at: 'head' }),
        'after its head': once({ kind: 'reset', at: 'headers' }),
        'at byte 0': once({ kind: 'reset', at: { responseBytes: 0 } }),
        'at byte 1': once({ kind: 'reset', at: { responseBytes: 1 } }),
        'at byte 88,001': once({ kind: 'reset', at: { responseBytes: 88_001 } }),
        'five times in a row': [{ when: middle, times: 5, fault: { kind: 'reset', at: { responseBytes: 12_000 } } }],
      },
    ),
  ],
  'Stall (no bytes)': cases(
    { ends: DONE, says: /did not answer|stalled|Can’t reach/, wastesBytes: IN_FLIGHT },
    {
      'before the head': once({ kind: 'stall', at: 'response' }),
      'in the head': once({ kind: 'stall', at: 'head' }),
      'after the head': once({ kind: 'stall', at: 'headers' }),
      'in the body': once({ kind: 'stall', at: { responseBytes: 40_000 } }),
    },
  ),
  'Slow-loris / trickle': cases(
    { ends: DONE, says: /next to nothing/, wastesBytes: IN_FLIGHT, isSlow: true },
    { 'after 12 kB': once({ kind: 'limit', bytesPerSecond: 300, fromByte: 12_000 }) },
  ),
  'Body shorter than Content-Length': cases(
    { ends: DONE, says: LOST, wastesBytes: IN_FLIGHT },
    {
      'closed at once': once({ kind: 'close', at: 'headers' }),
      'closed in the middle': once({ kind: 'close', at: { responseBytes: 40_000 } }),
      'chunked without its last chunk': [
        ...once({ kind: 'framing', as: 'chunked' }),
        ...once({ kind: 'close', at: { responseBytes: 40_000 } }),
      ],
    },
  ),
  'Truncated body, Content-Length agrees with it': [
    ...cases({ ends: DONE, says: OTHER_BYTES }, { 'of a range': once({ kind: 'shorten', bytes: 25_000 }) }),
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
      { ends: 'final-mismatch', says: /doesn’t match the original/ },
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
          ...once({ kind: 'close', at: { responseBytes: 40_000 } }),
        ],
      },
    ),
    ...cases(
      { ends: 'ends-early', says: /only the beginning of this file/ },
      {
        'of the whole object': [
          ...always({ kind: 'ignore-range' }),
          ...always({ kind: 'framing', as: 'until-close' }),
          ...always({ kind: 'close', at: { responseBytes: 40_000 } }),
        ],
      },
    ),
  ],
  'Extra bytes beyond expected': cases(
    { ends: DONE },
    {
      'that Content-Length counts': once({ kind: 'lengthen', bytes: 40_000 }),
      'in chunks': [...once({ kind: 'lengthen', bytes: 40_000 }), ...once({ kind: 'framing', as: 'chunked' })],
      'until the close': [
        ...once({ kind: 'lengthen', bytes: 40_000 }),
        ...once({ kind: 'framing', as: 'until-close' }),
      ],
    },
  ),
  'Wrong / invalid Content-Range, wrong unit, multipart/byteranges': [
    ...cases(
      { ends: DONE, wastesBytes: REFUSED },
      {
        'another start': slowly(contentRange(`bytes 0-${8 * MIB - 1}/${SIZE}`)),
        'another end': slowly(contentRange(`bytes ${8 * MIB}-${8 * MIB + 1}/${SIZE}`)),
        'another total': slowly(contentRange(`bytes ${8 * MIB}-${SIZE - 1}/${SIZE + 1}`)),
        'an unknown total': slowly(contentRange(`bytes ${8 * MIB}-${SIZE - 1}/*`)),
        'a last byte before the first': slowly(contentRange(`bytes 9-8/${SIZE}`)),
        'a last byte past the total': slowly(contentRange(`bytes ${8 * MIB}-${SIZE}/${SIZE}`)),
        'another unit': slowly(contentRange(`items ${8 * MIB}-${SIZE - 1}/${SIZE}`)),
        'two of them': slowly(contentRange(`bytes 0-1/${SIZE}, bytes 0-1/${SIZE}`)),
        'numbers beyond counting': slowly(contentRange('bytes 99999999999999999999-999999999999999999999/*')),
        garbage: slowly(contentRange('\u00ff;;;')),
        none: slowly(contentRange(null)),
        'multipart/byteranges once': slowly({ kind: 'multipart' }),
      },
    ),
    ...cases(
      { ends: DONE, says: /from the beginning|does not match the request|several ranges|Content-Range/ },
      {
        'garbage each time': always(contentRange('bytes'), ranged),
        'multipart/byteranges each time': always({ kind: 'multipart' }, ranged),
      },
    ),
  ],
  // A cache that keeps the first 206 and gives it to every range, or something else that knows one range only.
  'Every range but the first answered wrongly': [SMALLEST_MIB, SMALLEST_MIB + 2, SMALLEST_MIB + 3].flatMap((mib) =>
    cases(
      { ends: DONE, sizeBytes: mib * MIB, mostRequests: 20 },
      Object.fromEntries(wrongRanges(mib).map(([name, fault]) => [name, [...always(fault, later), ...SLOW_FIRST]])),
    ),
  ),
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
    { ends: DONE, wastesBytes: REFUSED },
    {
      'bytes from further ahead': slowly({ kind: 'shift-range', startBy: 1 }),
      'bytes from before': slowly({ kind: 'shift-range', startBy: -1 }),
      'fewer bytes': slowly({ kind: 'shift-range', endBy: -1000 }),
    },
  ),
}
