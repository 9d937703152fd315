import { expect, it } from 'vitest'
import { createWorkQueue } from '../../../electron/engine/async/work-queue.ts'
import type { Clock } from '../../../electron/engine/core/deps.ts'
import { createWindDown } from '../../../electron/engine/core/wind-down.ts'
import { createRequestSlots } from '../../../electron/engine/folders/request-slots.ts'
import { createFolderWindDown } from '../../../electron/engine/folders/wind-down.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { PAUSE_FINISH_MS } from '../../../shared/limits.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { createFolderWorld, downloadFolder, enqueueFolder, rowOf } from '../../support/worlds/folder-world.ts'
import {
  createUploadFolderWorld,
  requestFor,
  uploadFolder,
  writeAll,
} from '../../support/worlds/upload-folder-world.ts'

/** A promise and what resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Real time, in which a pause waits for what it lets end however long the machine takes for that. */
function patientClock(): Clock {
  const clock = createSystemClock()
  const hourMs = 3_600_000
  return { ...clock, sleep: (delayMs, signal) => clock.sleep(delayMs === PAUSE_FINISH_MS ? hourMs : delayMs, signal) }
}

it('lets files of a folder that are being sent end, begins no others, and goes on with those', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 10)
  const { opened, open } = gate()
  world.proxy.rule({ when: { method: 'PUT' }, times: 4, fault: { kind: 'stall', at: 'response', until: opened } })
  const engine = await world.open(undefined, patientClock())
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await expect.poll(() => world.puts().length).toBe(4)
  const paused = engine.pause([id])
  expect(rowOf(engine, id)).toMatchObject({ status: 'pausing', finishingUnits: 4 })
  open()
  await paused
  expect(rowOf(engine, id)).toMatchObject({ status: 'paused', items: { done: 4 }, finishingUnits: null })
  expect([world.puts().length, engine.details(id)?.droppedBytes]).toEqual([4, 0])
  await engine.resume([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 10 } })
  expect(world.puts()).toHaveLength(10)
})

it('drops unfinished parts when the pause is requested again, and says how many bytes those were', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 1)
  const stall = world.proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await expect.poll(() => stall.hits).toBe(1)
  void engine.pause([id])
  await engine.pause([id])
  expect(rowOf(engine, id).status).toBe('paused')
  expect(engine.details(id)?.log.map(({ text }) => text)).toEqual([
    'Added',
    'Started',
    'Paused by you',
    'Paused. 12 B was still on the way: what doesn’t arrive will be sent again.',
  ])
  stall.remove()
  expect(await uploadFolder(world, engine)).toMatchObject({ status: 'completed' })
})

it('lets objects of a folder that are being fetched end, and writes them', async () => {
  const world = await createFolderWorld()
  for (let number = 0; number < 10; number += 1) await world.put(`data/${number}`, `content of ${number}`)
  const { opened, open } = gate()
  const get = { method: 'GET', query: { prefix: false } }
  world.proxy.rule({ when: get, times: 4, fault: { kind: 'stall', at: 'headers', until: opened } })
  const engine = await world.open(undefined, patientClock())
  const id = await enqueueFolder(world, engine)
  await expect.poll(() => world.fetched().length).toBe(4)
  const paused = engine.pause([id])
  expect(rowOf(engine, id)).toMatchObject({ status: 'pausing', finishingUnits: 4 })
  open()
  await paused
  expect(rowOf(engine, id)).toMatchObject({ status: 'paused', items: { done: 4 } })
  await engine.resume([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 10 } })
  expect(world.fetched()).toHaveLength(10)
  expect(await downloadFolder(world, engine, 'skip')).toMatchObject({ status: 'completed' })
})

it('hands out neither items nor turns once it is wound down, and counts its transfers in', async () => {
  const stop = new AbortController()
  const windDown = createWindDown()
  const told: (number | null)[] = []
  const report = { finishing: (units: number | null) => void told.push(units) }
  const winding = createFolderWindDown({ windDown, report }, stop.signal)
  const slots = winding.slots(createRequestSlots(1, createFakeClock(), stop.signal, () => null))
  const queue = winding.queue(createWorkQueue<string>(stop.signal))
  const waitsForItem = queue.take()
  expect(slots.enter()).toBeUndefined()
  const waitsForTurn = slots.enter()
  const ended = windDown.begin(2500)
  const large = winding.finishing()
  large(2)
  queue.push('a')
  slots.leave()
  await ended
  large(null)
  expect(told).toEqual([1, 3, 2, null])
  const late = [queue.take(), slots.enter()]
  queue.push('b')
  stop.abort('pause')
  for (const waits of [waitsForItem, waitsForTurn, ...late]) await expect(waits).rejects.toBe('pause')
})
