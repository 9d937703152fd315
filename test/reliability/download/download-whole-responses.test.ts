import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeCheck } from '../../../shared/transfer/words/proof-words.ts'
import { MIB } from '../../../shared/limits.ts'
import type { Fault, FaultRule } from '../../support/fault-server/fault-rules.ts'
import { downloadFixture } from '../../support/worlds/download-fixture.ts'
import { always, get } from '../fault-case.ts'

const SIZE = 6 * MIB
const CUT: Fault = { kind: 'close', at: { responseBytes: 3 * MIB } }
/** One whole answer at a time, of which nothing tells length or version. */
const OPEN_ENDED: readonly FaultRule[] = [
  ...always({ kind: 'ignore-range' }),
  ...always({ kind: 'framing', as: 'until-close' }),
  ...always({ kind: 'headers', set: { ETag: null, 'Last-Modified': null } }),
]

test('a body that ends with its connection is not reported as checked when nothing states its size', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE), { asLink: true })
  for (const rule of [...OPEN_ENDED, ...always(CUT)]) fixture.proxy.rule(rule)
  expect(await fixture.begin().outcome).toEqual({ kind: 'completed', verification: 'unproven' })
  expect(describeCheck('unproven', undefined)).toMatch(/not checked/)
})

test('it is fetched again where the service tells another size', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  for (const rule of OPEN_ENDED) fixture.proxy.rule(rule)
  const cut = fixture.proxy.rule({ when: get, times: 1, fault: CUT })
  expect(await fixture.begin().outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'no-checksum' })
  expect(cut.hits).toBe(1)
  expect((await readFile(fixture.target)).equals(bytes)).toBe(true)
})

test('an ETag that is not an MD5 costs at most a second response if no length is sent, and that is reported', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const rules = [
    ...always({ kind: 'ignore-range' }),
    ...always({ kind: 'framing', as: 'chunked' }),
    ...always({ kind: 'headers', set: { ETag: '"0123456789abcdef0123456789abcdef"' } }),
  ]
  for (const rule of rules) fixture.proxy.rule(rule)
  const running = fixture.begin()
  expect(await running.outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'etag-differs' })
  expect((await readFile(fixture.target)).equals(bytes)).toBe(true)
  expect(running.log.filter((line) => line.includes('once more'))).toHaveLength(1)
  expect(running.progress.confirmedBytes).toBe(SIZE)
})

test('a byte that was damaged in a response without length is fetched again', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  for (const rule of always({ kind: 'ignore-range' })) fixture.proxy.rule(rule)
  for (const rule of always({ kind: 'framing', as: 'chunked' })) fixture.proxy.rule(rule)
  fixture.proxy.rule({ when: get, times: 1, fault: { kind: 'corrupt', responseByte: 12_345 } })
  expect(await fixture.begin().outcome).toEqual({ kind: 'completed', verification: 'etag-md5' })
  expect((await readFile(fixture.target)).equals(bytes)).toBe(true)
})

test.each([
  ['that nothing tells from another version', OPEN_ENDED],
  ['whose version is known', always({ kind: 'ignore-range' })],
])('an object %s and that always ends at the same byte is given up with words', async (_what, rules) => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  for (const rule of [...rules, ...always(CUT)]) fixture.proxy.rule(rule)
  const running = fixture.begin({ giveUpAfterMs: 60_000 })
  expect(await running.outcome).toMatchObject({ kind: 'failed', error: { code: 'ends-early' } })
  expect(fixture.proxy.log.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(6)
  // Only what brings something new is mended without a wait.
  expect(running.waits.length).toBeGreaterThanOrEqual(3)
  expect(await fixture.files()).not.toContain('set.bin')
})
