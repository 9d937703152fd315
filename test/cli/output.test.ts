import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOutput, progressLine } from '../../electron/cli/output.ts'
import { formatBytes } from '../../shared/format-bytes.ts'
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
    const line = progressLine([
      row({ confirmedBytes: 25, sizeBytes: 100 }),
      row({ confirmedBytes: 25, sizeBytes: 100 }),
    ])
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

  it('says what it waits for', () => {
    const wait = { reason: 'server-busy', retryAtMs: null, attempt: 3 } as const
    expect(progressLine([row({ status: 'waiting', wait })])).toContain('waiting (server-busy, try 3)')
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
