import { randomBytes } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { linkSignal } from '../../electron/engine/async/linked-signal.ts'
import { runGroup } from '../../electron/engine/async/task-group.ts'
import type { GetObjectRequest, ObjectStore } from '../../electron/stores/port/object-store.ts'
import { MIB } from '../../shared/limits.ts'
import { countHeld } from '../support/tools/collect-garbage.ts'
import { downloadFixture, type DownloadFixture } from '../support/worlds/download-fixture.ts'
import { bySmallParts, completed, PART } from '../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../support/worlds/upload-harness.ts'

/** The same store; each request's signal goes to `onSignal` first. */
function spied(store: ObjectStore, onSignal: (signal: AbortSignal) => void): ObjectStore {
  return Object.create(store, {
    getObject: {
      value(request: GetObjectRequest) {
        onSignal(request.signal)
        return store.getObject(request)
      },
    },
  }) as ObjectStore
}

async function downloadAgain(fixture: DownloadFixture, seen: WeakRef<object>[]): Promise<void> {
  const store = spied(fixture.store, (signal) => seen.push(new WeakRef(signal)))
  await fixture.enter()
  expect(await fixture.begin({ store }).outcome).toMatchObject({ kind: 'completed' })
  await rm(fixture.target)
}

test('nothing of a download is held once it is over', async () => {
  const fixture = await downloadFixture(randomBytes(20 * MIB))
  fixture.proxy.rule({ when: {}, times: 2, fault: { kind: 'reset', at: { responseBytes: 1_000_000 } } })
  const seen: WeakRef<object>[] = []
  for (let download = 0; download < 4; download += 1) await downloadAgain(fixture, seen)
  expect(seen.length).toBeGreaterThan(4)
  expect(await countHeld(seen)).toBe(0)
})

test('nothing of an upload is held by the signal it was given', async () => {
  const { signal } = new AbortController()
  const seen: WeakRef<object>[] = []
  for (let upload = 0; upload < 3; upload += 1) {
    const harness = await createUploadHarness(3 * PART)
    const { store } = harness
    const send = store.uploadPart.bind(store)
    store.uploadPart = (request) => {
      seen.push(new WeakRef(request.signal))
      return send(request)
    }
    expect(await harness.run({ ...bySmallParts, signal })).toEqual(completed('etag-multipart'))
  }
  expect(seen).toHaveLength(9)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(await countHeld(seen)).toBe(0)
})

test('a signal that follows another is held by nobody, whoever still listens to it', async () => {
  const outer = new AbortController()
  const seen = Array.from({ length: 10 }, () => {
    const { signal, release } = linkSignal(outer.signal)
    signal.addEventListener('abort', () => undefined)
    release()
    return new WeakRef(signal)
  })
  expect(getEventListeners(outer.signal, 'abort')).toEqual([])
  expect(await countHeld(seen)).toBe(0)
})

test('what follows a signal ends with its reason, also where it had ended before', () => {
  const outer = new AbortController()
  const before = linkSignal(outer.signal)
  const released = linkSignal(outer.signal)
  released.release()
  outer.abort('pause')
  const after = linkSignal(outer.signal)
  expect([before, released, after].map(({ signal }) => signal.aborted)).toEqual([true, false, true])
  expect([before.signal.reason, after.signal.reason]).toEqual(['pause', 'pause'])
})

test('a group leaves nothing with the signal it was given', async () => {
  const outer = new AbortController()
  const seen: WeakRef<object>[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    await runGroup(
      outer.signal,
      (group) => {
        seen.push(new WeakRef(group.signal))
        group.signal.addEventListener('abort', () => undefined)
        group.spawn(Promise.resolve())
      },
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
  }
  expect(getEventListeners(outer.signal, 'abort')).toEqual([])
  expect(await countHeld(seen)).toBe(0)
})
