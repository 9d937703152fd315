import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture, type FixtureOptions } from './download-fixture.ts'
import type { FaultRule } from '../fault-server/fault-rules.ts'

/** Size of an object that takes several requests. */
export const OBJECT_BYTES = 20 * MIB + 5
export const PROVEN = { kind: 'completed', verification: 'etag-md5' }
export const SIZE_ONLY = { kind: 'completed', verification: 'size-only', lack: 'no-checksum' }

/** One download of random bytes under these rules, to its outcome. */
export async function downloadWith(
  rules: readonly FaultRule[],
  options: FixtureOptions = {},
  bytes = randomBytes(OBJECT_BYTES),
  { connections = 4 }: { readonly connections?: number } = {},
) {
  const fixture = await downloadFixture(bytes, options)
  const handles = rules.map((rule) => fixture.proxy.rule(rule))
  const running = fixture.begin({ giveUpAfterMs: 10 * 60_000, connections })
  const outcome = await running.outcome
  return { bytes, fixture, running, outcome, hits: handles.map(({ hits }) => hits) }
}

/** Runs until `bytes` have arrived, then pauses. @returns how many are claimed. */
export async function pauseAt(fixture: DownloadFixture, bytes: number): Promise<number> {
  const running = fixture.begin({ onMoved: (moved) => moved >= bytes && running.stop('pause') })
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  return running.progress.confirmedBytes
}

/** The target folder holds this file and nothing else. */
export async function expectFile(fixture: DownloadFixture, bytes: Uint8Array): Promise<void> {
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(await fixture.files()).toEqual(['set.bin'])
}

/** How many bytes the checkpoints say are here. */
export async function claimedBytes({ checkpoints }: DownloadFixture): Promise<number> {
  const [record] = checkpoints.records.values()
  const ranges = await checkpoints.ranges(record?.id ?? '')
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}
