import { expect, test } from 'vitest'
import {
  describeFile,
  describeRow,
  lineOf,
  placeNameOf,
  speakProgress,
  type WordsContext,
} from '../../../renderer/words/row-words.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { makeRow } from '../rows.ts'

const context: WordsContext = { nowMs: 1_000_000, placeName: 'Studio', ahead: 0, isLong: false, stoppingFor: null }
const words = (changes: Partial<TransferRow>, more: Partial<WordsContext> = {}) =>
  lineOf(describeRow(makeRow(changes), { ...context, ...more }))

/** Why it failed, without how much is kept. */
const reason = (changes: Partial<TransferRow>) => describeRow(makeRow(changes), context)[0]?.text

test('every state says in plain words what it is doing', () => {
  expect(words({ status: 'queued' })).toBe('Waiting · starts next')
  expect(words({ status: 'queued' }, { ahead: 3 })).toBe('Waiting · 3 ahead')
  expect(words({ status: 'preparing', confirmedBytes: 0 })).toBe('Reading file…')
  expect(words({ status: 'preparing' })).toBe('Checking what is already there… · 7.90 of 12.7 GB')
  expect(words({})).toBe('7.90 of 12.7 GB · 48.2 MB/s · 3 min')
  expect(words({ bytesPerSecond: 0, etaSeconds: null })).toBe('7.90 of 12.7 GB · Estimating…')
  expect(words({ status: 'pausing' })).toBe('Pausing · keeping parts already sent')
  expect(words({ status: 'pausing' }, { stoppingFor: 'cancel' })).toBe('Canceling · discarding what was transferred')
  expect(words({ status: 'paused' })).toBe('Paused · 7.90 of 12.7 GB')
  expect(words({ status: 'verifying' })).toBe('Checking the copy…')
  expect(words({ status: 'completing' })).toBe('Finishing on the server…')
  expect(words({ status: 'completing' }, { isLong: true })).toBe(
    'Finishing on the server… large files can take a minute',
  )
  expect(words({ status: 'canceled' })).toBe('Canceled · nothing kept')
})

test('pausing says what is let end first', () => {
  const finishing = { status: 'pausing', finishingUnits: 2 } as const
  expect(words(finishing)).toBe('Finishing 2 parts…')
  expect(words({ ...finishing, finishingUnits: 1 })).toBe('Finishing 1 part…')
  expect(words(finishing, { stoppingFor: 'resume' })).toBe('Finishing 2 parts, then resuming…')
  expect(words({ status: 'pausing' }, { stoppingFor: 'resume' })).toBe('Resuming…')
  expect(words(finishing, { stoppingFor: 'let-go' })).toBe('Finishing 2 parts, then removing from the list…')
  expect(words({ status: 'pausing' }, { stoppingFor: 'let-go' })).toBe('Removing from the list…')
  expect(words(finishing, { stoppingFor: 'cancel' })).toBe('Canceling · discarding what was transferred')
  const items = { done: 3, total: 9, failed: 0, isCounted: true }
  // They may be two parts of one file, or two files.
  expect(words({ ...finishing, items })).toBe('Finishing what is on its way…')
})

test.each([
  ['link-expired', 'The link has expired.', ' What was downloaded is kept.'],
  ['another-object', 'The new link leads to a different file.', ' What was downloaded is kept.'],
  ['gave-up-waiting', 'The server didn’t answer for a long time.', ' Everything transferred is kept.'],
  ['answer-unreadable', 'Studio gives answers that Sluice can’t read.', ' What was transferred is kept.'],
] as const)('%s says that something is kept where something is', (code, what, kept) => {
  const error = { code, detail: '', serviceCode: null, httpStatus: null, requestId: null }
  const failed = { ...({ status: 'failed', direction: 'download', placeId: null } as const), error }
  expect(reason({ ...failed, confirmedBytes: 0 })).toBe(what)
  expect(reason({ ...failed, confirmedBytes: 1 })).toBe(what + kept)
})

test.each([
  ['/Volumes/Disk/Shoot 12 Nov/reel.mov', 'Shoot 12 Nov'],
  ['D:\\reel.mov', 'D:'],
  ['/reel.mov', '/'],
])('a file that is gone is missed in its folder: %s', (localPath, folder) => {
  const wait = { reason: 'source-missing', retryAtMs: null, attempt: 1 } as const
  expect(words({ status: 'waiting', localPath, wait })).toBe(
    `The file is no longer in “${folder}” · continues when it is back`,
  )
})

test.each([
  [null, 'The drive with “Shoot” isn’t responding'],
  ['cancel', 'The drive with “Shoot” isn’t responding'],
  ['resume', 'The drive with “Shoot” isn’t responding · continues when it does'],
] as const)('a row that its drive keeps from stopping says so: %s', (stoppingFor, text) => {
  const wait = { reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 } as const
  expect(words({ status: 'pausing', localPath: '/Volumes/Shoot/reel.mov', wait }, { stoppingFor })).toBe(text)
})

test('when it is tried again, and how much is there, is told apart from the reason, which may be cut off', () => {
  const parts = (changes: Partial<TransferRow>) => describeRow(makeRow(changes), context).map(({ text }) => text)
  const wait = { reason: 'server-busy', retryAtMs: 1_012_000, attempt: 3 } as const
  expect(parts({ status: 'waiting', wait })).toEqual(['Server busy', 'trying again in 0:12 (3 of 8)'])
  const error = { code: 'key-not-accepted', detail: '', serviceCode: null, httpStatus: 403, requestId: null } as const
  const held = { status: 'failed', error, sizeBytes: 300_000_000 } as const
  expect(parts({ ...held, confirmedBytes: 42_500_000 })[1]).toBe('42.5 of 300 MB')
  expect(parts({ ...held, confirmedBytes: 0 })).toHaveLength(1)
  expect(parts({ status: 'preparing', sizeBytes: 300_000_000, confirmedBytes: 42_500_000 })).toEqual([
    'Checking what is already there…',
    '42.5 of 300 MB',
  ])
})

test('waiting says why and when it goes on', () => {
  const busy = { reason: 'server-busy', retryAtMs: 1_012_000, attempt: 3 } as const
  expect(words({ status: 'waiting', wait: busy })).toBe('Server busy · trying again in 0:12 (3 of 8)')
  expect(words({ status: 'waiting', wait: { ...busy, reason: 'server-error', attempt: 9 } })).toBe(
    'The server stopped answering · trying again in 0:12',
  )
  expect(words({ status: 'waiting', wait: { reason: 'network', retryAtMs: null, attempt: 1 } })).toBe(
    'Can’t reach Studio · continues by itself',
  )
})

test.each([
  ['network', 'connection-refused', null, 'Can’t reach Studio: connection refused'],
  ['network', 'unknown-host', null, 'Can’t reach Studio: no such host'],
  ['proxy', 'connection-refused', null, 'Can’t reach the proxy host:81: connection refused'],
  ['proxy', 'proxy-could-not-connect', 503, 'The proxy can’t reach Studio (503)'],
  ['server-busy', 'http-status', 429, 'Server busy (429)'],
  ['server-error', 'http-status', 500, 'The server has a problem (500)'],
  ['network', 'keys-awaited', null, 'The profile in ~/.aws hasn’t given the keys yet'],
] as const)('a wait says what came of the last try: %s, %s', (reason, code, httpStatus, text) => {
  const cause = { code, host: 'host:81', httpStatus }
  expect(words({ status: 'waiting', wait: { reason, cause, retryAtMs: 1_012_000, attempt: 9 } })).toBe(
    `${text} · trying again in 0:12`,
  )
})

test('done says how big, how long and what was proven', () => {
  const done = { status: 'completed', confirmedBytes: 12_700_000_000, activeMs: 261_000 } as const
  expect(words({ ...done, verification: 'etag-multipart' })).toBe('12.7 GB in 4 min 21 s · verified (MD5)')
  expect(words({ ...done, verification: 'size-only' })).toBe('12.7 GB in 4 min 21 s · size checked only')
  expect(words({ ...done, activeMs: 0, verification: 'etag-md5' })).toBe('12.7 GB · verified (MD5)')
})

test.each([
  ['connection-refused', null, 'Can’t reach the proxy host:81: connection refused.'],
  ['proxy-could-not-connect', 503, 'The proxy can’t reach Studio (503).'],
] as const)('failed names the proxy that was waited for: %s', (code, httpStatus, text) => {
  const waitCause = { code, host: 'host:81', httpStatus }
  const error = { code: 'gave-up-waiting', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
  expect(reason({ status: 'failed', error: { ...error, waitCause, isOfProxy: true } })).toBe(text)
})

test('failed says the sentence of the catalog, naming the place', () => {
  const error = { code: 'key-not-accepted', detail: '', serviceCode: null, httpStatus: 403, requestId: null } as const
  expect(reason({ status: 'failed', error })).toBe('Studio didn’t accept the key.')
  expect(reason({ status: 'failed', error: { ...error, httpStatus: null } })).toBe(
    'The key for Studio isn’t saved on this computer.',
  )
})

test('a link whose secret can’t be had here says so, and not that its server refused it', () => {
  const LINK = { status: 'failed', direction: 'download', placeId: null } as const
  const error = { code: 'key-not-accepted', detail: '', httpStatus: null, requestId: null } as const
  expect(reason({ ...LINK, error: { ...error, serviceCode: 'KeyringLocked' } })).toBe(
    'The keyring that protects this link can’t be opened now.',
  )
  expect(reason({ ...LINK, error: { ...error, serviceCode: 'InvalidAccessKeyId' } })).toBe(
    'The secret part of this link isn’t saved on this computer.',
  )
})

test('a proxy whose password is unavailable is told apart from one that refuses the password', () => {
  const error = { code: 'proxy-sign-in', detail: '', httpStatus: null, requestId: null } as const
  expect(reason({ status: 'failed', error: { ...error, serviceCode: 'ProxyKeyringLocked' } })).toBe(
    'The keyring with the proxy’s password can’t be opened now.',
  )
  expect(reason({ status: 'failed', error: { ...error, serviceCode: 'ProxySignInNeeded' } })).toBe(
    'The proxy requires sign-in.',
  )
})

test('a folder counts its files, and promises nothing before all are listed', () => {
  const items = { done: 212, total: 1204, failed: 0, isCounted: true }
  const folder = { direction: 'download', items } as const
  expect(words(folder)).toBe('212 of 1,204 files · 7.90 of 12.7 GB · 48.2 MB/s · 3 min')
  expect(words({ ...folder, items: { ...items, failed: 3 }, status: 'paused' })).toBe(
    'Paused · 212 of 1,204 files, 3 failed · 7.90 of 12.7 GB',
  )
  const listing = { ...folder, items: { ...items, isCounted: false } }
  expect(words(listing)).toBe('212 files, still listing · 7.90 GB · 48.2 MB/s')
  expect(speakProgress(makeRow(listing))).toBe('7.90 GB')
  expect(words({ ...listing, status: 'preparing' })).toBe('Listing the folder…')
  expect(words({ ...folder, items: { ...items, done: 1204 }, status: 'completed', verification: 'digest' })).toBe(
    '1,204 files · 12.7 GB · verified (server’s checksum)',
  )
})

test('a folder says what of it was there before, and no time that is not of all of it', () => {
  const ended = (direction: 'upload' | 'download', alreadyThere?: number): string => {
    const items = { done: 4, alreadyThere, total: 4, failed: 0, isCounted: true }
    return words({ direction, items, status: 'completed', verification: 'etag-md5', activeMs: 2000 })
  }
  expect(ended('upload', 4)).toBe('4 files already there · 12.7 GB · verified (MD5)')
  expect(ended('download', 4)).toBe('4 files already here · 12.7 GB · verified (MD5)')
  expect(ended('upload', 3)).toBe('4 files, 3 already there · 12.7 GB · verified (MD5)')
  expect(ended('upload')).toBe('4 files · 12.7 GB in 2 s · verified (MD5)')
  const skipping = { done: 4, alreadyThere: 2, skipped: 1, total: 4, failed: 0, isCounted: true }
  const skipped = { status: 'completed', verification: 'size-only', proofLack: 'left-alone', activeMs: 2000 } as const
  const upload = { direction: 'upload', ...skipped } as const
  expect(words({ ...upload, items: skipping })).toBe('4 files, 2 already there, 1 skipped · 12.7 GB')
  expect(words({ ...upload, items: { ...skipping, alreadyThere: 0 } })).toBe('4 files, 1 skipped · 12.7 GB')
})

test('what can’t be kept before all of it has come tells what came, and that it starts over', () => {
  const moving = { direction: 'download', sizeBytes: null, confirmedBytes: 0, etaSeconds: null } as const
  expect(words({ ...moving, keepsNothing: true })).toBe('40.0 MB · 48.2 MB/s · Estimating…')
  const paused = { ...moving, inFlightBytes: 0, status: 'paused' } as const
  expect(words({ ...paused, keepsNothing: true })).toBe('Paused · starts over when resumed')
  expect(words({ ...moving, status: 'pausing', keepsNothing: true })).toBe('Pausing · starts over when resumed')
  expect(words({ ...moving, sizeBytes: 100_000_000, keepsNothing: true })).toBe(
    '40.0 of 100 MB · 48.2 MB/s · Estimating…',
  )
  // Before anything is known of it.
  expect(words(paused)).toBe('Paused')
})

test('an upload whose bar shows parts that are not confirmed yet names them', () => {
  const small = { sizeBytes: 20_000_000, confirmedBytes: 0, inFlightBytes: 4_600_000, unitsDone: 0, unitsTotal: 4 }
  expect(words(small)).toBe('0 of 20.0 MB · 4.60 MB under way · 48.2 MB/s · 3 min')
  expect(speakProgress(makeRow(small))).toBe('0 percent, 4.60 MB under way, 3 minutes left')
  const half = { ...small, confirmedBytes: 15_000_000, unitsDone: 3 }
  expect(words(half)).toBe('15.0 of 20.0 MB · 4.60 MB under way · 48.2 MB/s · 3 min')
  expect(words({ ...half, inFlightBytes: 0 })).toBe('15.0 of 20.0 MB · 48.2 MB/s · 3 min')
  expect(words({ ...half, status: 'paused' })).toBe('Paused · 15.0 of 20.0 MB')
})

test('of many parts, those under way are named only until more is confirmed', () => {
  expect(words({ confirmedBytes: 0 })).toBe('0 of 12.7 GB · 40.0 MB under way · 48.2 MB/s · 3 min')
  expect(words({ confirmedBytes: 50_000_000 })).toBe('50.0 MB of 12.7 GB · 48.2 MB/s · 3 min')
})

test('what a download receives is confirmed at once, so it names nothing else', () => {
  expect(words({ direction: 'download', sizeBytes: 20_000_000, confirmedBytes: 0, unitsTotal: 3 })).toBe(
    '0 of 20.0 MB · 48.2 MB/s · 3 min',
  )
})

test('a folder that misses files says how many, and that the others are here', () => {
  const error = { code: 'items-failed', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
  const items = { done: 1201, total: 1204, failed: 3, isCounted: true }
  expect(words({ direction: 'download', status: 'failed', error, items })).toBe(
    '3 files could not be downloaded · 1,201 of 1,204 are here',
  )
  expect(words({ status: 'canceled', items })).toBe('Canceled · finished files are kept')
})

test('progress is spoken with the time left while bytes move', () => {
  expect(speakProgress(makeRow())).toBe('62 percent, 3 minutes left')
  expect(speakProgress(makeRow({ status: 'paused' }))).toBe('62 percent')
  expect(speakProgress(makeRow({ sizeBytes: null }))).toBe('7.94 GB, 3 minutes left')
})

test('a link is called by its host', () => {
  const row = makeRow({ placeId: null, key: 'https://files.example.com/a/b.iso' })
  expect(placeNameOf(row, null)).toBe('files.example.com')
})

test('a file that is gone was in its own folder, not in that of the transfer', () => {
  const error = { code: 'source-missing', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
  const wordsOf = (path: string, row: Partial<TransferRow>) =>
    describeFile({ path, sizeBytes: 1, state: 'failed', error }, makeRow({ direction: 'upload', ...row }), 'Studio')
  const shoot = { name: 'shoot', localPath: '/media/shoot' } as const
  expect(wordsOf('shoot/raw/7/a.tif', shoot)).toBe('The file is no longer at /media/shoot/raw/7.')
  expect(wordsOf('shoot/a.tif', shoot)).toBe('The file is no longer at /media/shoot.')
  expect(wordsOf('b.tif', { name: 'a.tif', others: 4, localPath: '/media' })).toBe('The file is no longer at /media.')
})
