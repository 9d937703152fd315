import { PassThrough, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createOutput, progressLine, verificationWords, whyNotMore } from '../../electron/cli/output.ts'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import type { WaitCauseCode } from '../../shared/wait-cause.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { transferRow } from '../support/fakes/transfer-rows.ts'

describe('what the command line shows', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [12_345_678, '12.3 MB'],
    [999_600, '1 MB'],
    [2_000_000_000, '2 GB'],
  ])('shows %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('sums the running transfers into one bar', () => {
    const line = progressLine(
      [row({ confirmedBytes: 25, sizeBytes: 100 }), row({ confirmedBytes: 25, sizeBytes: 100 })],
      0,
    )
    expect(line).toContain(' 25 %  50 B of 200 B  0 B/s')
  })

  it.each([
    ['that of the longest', 40, 40],
    ['none while one of them is unknown', null, null],
  ])('tells a script the time left: %s', (_, etaSeconds, told) => {
    const stdout = new PassThrough() as PassThrough & NodeJS.WriteStream
    const output = createOutput(true, stdout, stdout)
    output.progress([row({ etaSeconds: 3 }), row({ etaSeconds })])
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ event: 'progress', transfers: 2, etaSeconds: told })
  })

  it('waits for the reader of its results, and notices when there is none', async () => {
    let take = (_failure?: Error): void => undefined
    const stdout = new Writable({ write: (_bytes, _encoding, taken) => void (take = taken) }) as NodeJS.WriteStream
    const output = createOutput(true, stdout, new PassThrough() as PassThrough & NodeJS.WriteStream)
    output.result({ line: 1 }, '')
    let answer: boolean | null = null
    const asked = output.hasReader().then((hasReader) => (answer = hasReader))
    await setImmediate()
    expect(answer).toBe(null)
    take()
    await setImmediate()
    take()
    expect(await asked).toBe(true)
    output.result({ line: 2 }, '')
    take(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(await output.hasReader()).toBe(false)
    expect(await output.written()).toBe(null)
  })

  it('says what was checked as the window does', () => {
    expect(verificationWords('etag-multipart')).toBe('verified (MD5 of every part)')
    expect(verificationWords('digest')).toBe('verified (server’s checksum)')
    expect(verificationWords('evidence')).toBe('verified (server’s record)')
  })

  it('says why only the size was checked', () => {
    expect(verificationWords('size-only')).toBe('size checked only')
    expect(verificationWords(null)).toBe('size checked only')
    expect(verificationWords('size-only', 'left-alone')).toBe('what was skipped was not compared')
    expect(verificationWords('size-only', 'no-checksum')).toBe(
      'size checked only: the service gives no checksum of the content',
    )
    expect(whyNotMore(undefined)).toEqual({})
    expect(whyNotMore('parts-untold')).toEqual({
      reason: 'parts-untold',
      message: 'Only the size was checked: the service doesn’t say how the file was divided into parts.',
    })
  })

  it('says what it waits for', () => {
    const wait = { reason: 'server-busy', retryAtMs: 12_000, attempt: 3 } as const
    expect(progressLine([row({ status: 'waiting', wait })], 0)).toContain('waiting, try 3 in 12 s')
  })

  it('lets no name from a server turn, hide or obey anything in a terminal', () => {
    const key = 'inv\u202efdp.exe\u009b31m\nnext\tline'
    const stdout = new PassThrough() as PassThrough & NodeJS.WriteStream
    createOutput(false, stdout, stdout).aside({}, `${key} is saved as x`)
    expect(String(stdout.read())).toBe('inv‛u202efdp.exe‛u009b31m␊next␉line is saved as x\n')
    createOutput(true, stdout, stdout).result({ key }, '')
    const line = String(stdout.read())
    expect(line).toContain('inv\\u202efdp.exe\\u009b31m\\nnext\\tline')
    expect(JSON.parse(line)).toEqual({ key })
  })

  it('tells a person once why nothing moves, and again when the cause is another', () => {
    const stderr = new PassThrough() as PassThrough & NodeJS.WriteStream
    const output = createOutput(false, stderr, stderr)
    const wait = (code: WaitCauseCode, attempt: number) =>
      ({ reason: 'network', retryAtMs: 0, attempt, cause: { code, host: 'host:81', httpStatus: null } }) as const
    output.waiting(wait('connection-refused', 1))
    output.waiting(wait('connection-refused', 2))
    output.waiting(wait('no-answer', 3))
    output.waiting({ reason: 'disk-full', retryAtMs: null, attempt: 4 })
    expect(String(stderr.read())).toBe(
      'Can’t reach host:81: connection refused. Trying again…\nCan’t reach host:81: no answer came. Trying again…\n',
    )
  })
})

function row(facts: Partial<TransferRow>): TransferRow {
  return transferRow({
    id: 'id',
    direction: 'download',
    name: 'name',
    placeId: null,
    bucket: '',
    key: 'name',
    localPath: '/name',
    status: 'transferring',
    sizeBytes: null,
    ...facts,
  })
}
