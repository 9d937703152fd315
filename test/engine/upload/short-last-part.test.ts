import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { Clock } from '../../../electron/engine/core/deps.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { bySmallParts, completed, expectStored, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const LAST = 4

/** As many connections as pay, to a service of which nothing is known. */
function unknownLine({ clock }: UploadHarness) {
  return { ...bySmallParts, connections: createConnectionGovernors({ clock, isSaturated: () => false }) }
}

/** Holds the answer to the last part until it is let go. */
function holdLast({ store }: UploadHarness): { readonly isAsked: Promise<void>; readonly letGo: () => void } {
  let letGo = (): void => undefined
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const held = new Promise<void>((resolve) => (letGo = resolve))
  store.after = ({ partNumber }) => {
    if (partNumber !== LAST) return undefined
    asked()
    return held
  }
  return { isAsked, letGo }
}

/** Time passes as ever, but the others wait for the answer for as long as the test does; `areWaiting` once they do. */
function withoutHaste(clock: Clock): { readonly clock: Clock; readonly areWaiting: Promise<void> } {
  let wait = (): void => undefined
  const areWaiting = new Promise<void>((resolve) => (wait = resolve))
  const unending = (signal: AbortSignal) => {
    wait()
    return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  }
  return {
    clock: {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: (delayMs, signal) => (delayMs === 10_000 ? unending(signal) : clock.sleep(delayMs, signal)),
    },
    areWaiting,
  }
}

test('while nothing is known of the line a short last part is sent first, and the others wait for its response', async () => {
  const upload = await createUploadHarness(3 * PART + MIB / 2)
  const last = holdLast(upload)
  const { clock, areWaiting } = withoutHaste(upload.deps.clock)
  const outcome = upload.run({ ...unknownLine(upload), deps: { ...upload.deps, clock } })
  await Promise.all([last.isAsked, areWaiting])
  expect(upload.store.partsSent()).toEqual([LAST])
  last.letGo()
  expect(await outcome).toEqual(completed('etag-multipart'))
  expect([...upload.store.partsSent()].sort()).toEqual([1, 2, 3, LAST])
  expectStored(upload)
})

test('a response that does not come holds up the others for ten seconds and no longer', async () => {
  const upload = await createUploadHarness(3 * PART + MIB / 2)
  const last = holdLast(upload)
  const outcome = upload.run(unknownLine(upload))
  await expect.poll(() => [...upload.store.partsSent()].sort()).toEqual([1, 2, 3, LAST])
  expect(upload.store.partsSent()[0]).toBe(LAST)
  last.letGo()
  expect(await outcome).toEqual(completed('etag-multipart'))
  expectStored(upload)
})

test('paused while the others wait, the next run sends what is missing', async () => {
  const upload = await createUploadHarness(3 * PART + MIB / 2)
  const pause = new AbortController()
  const last = holdLast(upload)
  const { clock, areWaiting } = withoutHaste(upload.deps.clock)
  const outcome = upload.run({
    ...unknownLine(upload),
    signal: pause.signal,
    deps: { ...upload.deps, clock },
  })
  await Promise.all([last.isAsked, areWaiting])
  pause.abort('pause')
  last.letGo()
  expect(await outcome).toEqual({ kind: 'stopped' })
  expect(upload.store.partsSent()).toEqual([LAST])
  upload.store.after = () => undefined
  expect(await upload.run()).toEqual(completed('etag-multipart'))
  expectStored(upload)
})

test.each([
  ['too short to tell anything', 5],
  ['as long as others', 2 * MIB],
])('a last part that is %s goes last', async (_, bytes) => {
  const upload = await createUploadHarness(3 * PART + bytes)
  expect(await upload.run(unknownLine(upload))).toEqual(completed('etag-multipart'))
  expect(upload.store.partsSent()[0]).toBe(1)
})

test('where a person says how many parts go at a time, none of them waits', async () => {
  const upload = await createUploadHarness(3 * PART + MIB / 2)
  expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(completed('etag-multipart'))
  expect(upload.store.partsSent()).toEqual([1, 2, 3, LAST])
})
