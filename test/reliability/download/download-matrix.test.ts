import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import type { RunOutcome } from '../../../electron/engine/core/run.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { describeRow, lineOf } from '../../../renderer/words/row-words.ts'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import { describeError } from '../../../shared/transfer/words/error-words.ts'
import { transferRow } from '../../support/fakes/transfer-rows.ts'
import {
  createFastClock,
  downloadFixture,
  sha256,
  sha256OfFile,
  type DownloadFixture,
  type Running,
  type RunOptions,
} from '../../support/worlds/download-fixture.ts'
import { SIZE, type FaultCase } from '../fault-case.ts'
import { RESPONSE_ROWS } from './get-response-rows.ts'
import { BODY_ROWS } from './get-body-rows.ts'
import { MACHINE_ROWS } from './get-machine-rows.ts'

type Connections = NonNullable<RunOptions['connections']>

/** Bodies of errors are sent, too (bytes). */
const ERRORS_BYTES = 64 * 1024
/** The rows of the fault matrix that concern GET and that a server can play. */
const SERVED_ROWS = { ...BODY_ROWS, ...RESPONSE_ROWS }

// Objects 8 times smaller, with as many ranges. The client's watchdogs run by the system's clock.
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  const limits = smallerLimits(await original<typeof Limits>(), 8)
  return { ...limits, HEADERS_TIMEOUT_MS: 2000, IDLE_TIMEOUT_MS: 2000 }
})

/** Everything a person reads of a run: its history, the rows while it waits, and the error at the end. */
function wordsOf(running: Running, outcome: RunOutcome, isLink: boolean): string {
  const waits = running.waitStates.map((wait) =>
    lineOf(
      describeRow(transferRow({ direction: 'download', status: 'waiting', wait }), {
        nowMs: wait.atMs,
        placeName: 'Studio',
        ahead: 0,
        stoppingFor: null,
        isLong: false,
      }),
    ),
  )
  const names = { name: 'set.bin', placeName: 'Studio', bucket: 'demo', localPath: '/set.bin', isLink }
  const end = outcome.kind === 'failed' ? describeError(outcome.error, names).sentence : ''
  return [...running.log, ...waits, end].join('\n')
}

async function pauseEarly(fixture: DownloadFixture): Promise<number> {
  const running = fixture.begin({ onMoved: (moved) => moved >= 2 * MIB && running.stop('pause') })
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  return running.progress.confirmedBytes
}

async function claimedBytes({ checkpoints }: DownloadFixture): Promise<number> {
  const [record] = checkpoints.records.values()
  const ranges = await checkpoints.ranges(record?.id ?? '')
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** What a person reads when other connections had the bytes sooner than the fault was noticed. */
const TAKEN_OVER = /far slower than the others|of a slow connection arrived over another/

/** Several connections help each other out: bytes on their way in one may come over another too. */
function playWithSeveral(played: FaultCase, connections: Connections): Promise<void> {
  const { says, wastesBytes, ...rest } = played
  const words = says === undefined ? {} : { says: new RegExp(`${says.source}|${TAKEN_OVER.source}`, says.flags) }
  // The clock jumps, so that healthy connections look slow and are helped. No byte need be asked for a third time.
  const bound = wastesBytes === undefined ? {} : { wastesBytes: Math.max(wastesBytes, SIZE + ERRORS_BYTES) }
  return play({ ...rest, ...words, ...bound }, connections)
}

/** As many as pay, which is what transfers do unless they are told a number. */
function adaptive(): Connections {
  return createConnectionGovernors({ clock: createSystemClock(), isSaturated: () => false })
}

async function play(played: FaultCase, connections: Connections): Promise<void> {
  const {
    rules,
    asLink = false,
    onResume,
    ends,
    says,
    wastesBytes,
    isSlow,
    sizeBytes = SIZE,
    mostRequests = 60,
  } = played
  const bytes = randomBytes(sizeBytes)
  const fixture = await downloadFixture(bytes, { asLink })
  const { proxy, target } = fixture
  const kept = onResume === true ? await pauseEarly(fixture) : 0
  const sentBefore = fixture.sentBytes()
  const handles = rules(proxy.endpoint).map((rule) => proxy.rule(rule))
  const running = fixture.begin({ giveUpAfterMs: 10 * 60_000, connections, clock: createFastClock(isSlow) })
  const outcome = await running.outcome

  // The faults really happened, and the log of requests says to which.
  expect(handles.every(({ hits }) => hits > 0)).toBe(true)
  expect(proxy.log.some(({ faults }) => faults.length > 0)).toBe(true)
  if (says !== undefined) expect(wordsOf(running, outcome, asLink)).toMatch(says)
  // No request says what could make a range no range (RFC 9110, 13.2.2).
  expect(proxy.log.filter(({ headers }) => headers['if-modified-since'] !== undefined)).toEqual([])
  expect(proxy.log.length).toBeLessThanOrEqual(mostRequests)

  if (outcome.kind === 'completed') {
    expect(outcome.verification).toBe(ends)
    expect(await sha256OfFile(target)).toBe(sha256(bytes))
    expect(await fixture.files()).toEqual(['set.bin'])
    const received = fixture.sentBytes() - sentBefore
    expect(received).toBeLessThanOrEqual(sizeBytes - kept + (wastesBytes ?? Infinity))
    return
  }
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: ends } })
  // Nothing has the final name, and what was there is there.
  expect(await fixture.files()).not.toContain('set.bin')
  expect(await claimedBytes(fixture)).toBeGreaterThanOrEqual(kept)
}

for (const [row, cases] of Object.entries(SERVED_ROWS)) {
  describe(row, () => {
    test.each(cases)('$name', (played) => playWithSeveral(played, 4))
    const frugal = cases.filter(({ wastesBytes }) => wastesBytes !== undefined)
    test.each(frugal)('$name, over as many connections as pay', (played) => playWithSeveral(played, adaptive()))
    test.each(frugal)('$name, over one connection, which fetches little twice', (played) => play(played, 1))
  })
}

test('every row of the fault matrix that concerns GET is played', async () => {
  const served = Object.entries(SERVED_ROWS).filter(([, cases]) => cases.length > 0)
  const elsewhere = await Promise.all(
    Object.values(MACHINE_ROWS).map(async ({ file, test: name }) =>
      (await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).includes(name),
    ),
  )
  const covered = served.length + elsewhere.filter(Boolean).length
  const all = Object.keys(SERVED_ROWS).length + Object.keys(MACHINE_ROWS).length
  const count = Object.values(SERVED_ROWS).flat().length
  console.log(`Fault matrix, GET: ${covered} of ${all} rows covered, ${count} cases played by the server`)
  expect(covered).toBe(all)
})
