import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { FolderContext } from '../../../../electron/engine/core/run.ts'
import { createRequestSlots } from '../../../../electron/engine/folders/request-slots.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { createFolderWorld, downloadFolder } from '../../../support/worlds/folder-world.ts'

it('counts no byte of a small object as moved before the limit has let it pass', async () => {
  const world = await createFolderWorld()
  await Promise.all(
    Array.from({ length: 6 }, (_, number) => world.put(`data/${number}`, Buffer.alloc(700_000, number))),
  )
  let passedBytes = 0
  let movedBytes = 0
  const leads: number[] = []
  const take = async (bytes: number) => {
    await turn()
    passedBytes += bytes
  }
  const decorate = (context: FolderContext): FolderContext => {
    const moved = context.report.moved.bind(context.report)
    context.report.moved = (bytes) => {
      movedBytes += bytes
      leads.push(movedBytes - passedBytes)
      moved(bytes)
    }
    return { ...context, limiter: { limitBytesPerSecond: null, take } }
  }
  expect(await downloadFolder(world, await world.open(decorate))).toMatchObject({ status: 'completed' })
  expect([movedBytes, passedBytes]).toEqual([4_200_000, 4_200_000])
  expect(Math.max(...leads)).toBeLessThanOrEqual(0)
})

it('takes no more into memory than the listing announced, whatever responses announce', async () => {
  const world = await createFolderWorld()
  const sizeBytes = 3_000_000
  await Promise.all(
    Array.from({ length: 20 }, (_, number) => world.put(`data/${number}`, Buffer.alloc(sizeBytes, number))),
  )
  let inLanes = 0
  let mostInLanes = 0
  const decorate = (context: FolderContext): FolderContext => {
    const { store } = context
    const listObjects: typeof store.listObjects = async (request) => {
      const page = await store.listObjects(request)
      return { ...page, objects: page.objects.map((object) => ({ ...object, sizeBytes: 1 })) }
    }
    const getObject: typeof store.getObject = async (request) => {
      const response = await store.getObject(request)
      if (request.range !== undefined || response.kind !== 'content') return response
      return { ...response, body: counted(response.body) }
    }
    return { ...context, store: { ...store, listObjects, getObject } }
  }
  async function* counted(body: AsyncIterable<Uint8Array>) {
    inLanes += sizeBytes
    mostInLanes = Math.max(mostInLanes, inLanes)
    try {
      yield* body
    } finally {
      inLanes -= sizeBytes
    }
  }
  expect(await downloadFolder(world, await world.open(decorate))).toMatchObject({ status: 'completed' })
  expect(mostInLanes).toBe(0)
})

it('asks for fewer small objects at a time where the server is busy, and for more again when it no longer is', async () => {
  const clock = createFakeClock()
  const slots = createRequestSlots(64, clock, new AbortController().signal, () => null)
  for (let count = 0; count < 64; count += 1) expect(slots.enter()).toBeUndefined()
  for (let count = 0; count < 64; count += 1) slots.refused()
  expect(slots.limit).toBe(44)
  const turn = slots.enter()
  for (let count = 0; count < 20; count += 1) slots.leave()
  let isIn = false
  void turn?.then(() => (isIn = true))
  await clock.advance(1001)
  expect(isIn).toBe(false)
  slots.leave()
  await turn
  slots.refused()
  expect(slots.limit).toBe(30)
  await clock.advance(10_001)
  for (let count = 0; count < 5; count += 1) slots.leave()
  expect(slots.limit).toBe(35)
})

it('keeps few connections open for small objects under a low limit, so that none starves', () => {
  const { signal } = new AbortController()
  let rate: number | null = 100 * 1024
  const slots = createRequestSlots(64, createFakeClock(), signal, () => rate)
  expect(slots.limit).toBe(3)
  rate = 1024
  expect(slots.limit).toBe(1)
  rate = null
  expect(slots.limit).toBe(64)
})

it('asks for all tiny objects at once, and for few larger ones where the line is slow', async () => {
  const clock = createFakeClock()
  const slots = createRequestSlots(96, clock, new AbortController().signal, () => null)
  const size = 500_000
  for (let count = 0; count < 96; count += 1) expect(slots.enter(4096)).toBeUndefined()
  for (let count = 0; count < 96; count += 1) slots.leave(4096)
  let running = 0
  const enter = async () => {
    await slots.enter(size)
    running += 1
  }
  for (let count = 0; count < 30; count += 1) void enter()
  await clock.advance(0)
  expect(running).toBe(2)
  // 250 kB a second: one takes 2 s.
  for (let objects = 0; objects < 10; objects += 1) {
    for (let quarters = 0; quarters < 4; quarters += 1) {
      await clock.advance(500)
      slots.arrived(size / 4)
    }
    running -= 1
    slots.leave(size)
    await clock.advance(0)
  }
  expect(running).toBe(1)
})

it('ends the wait for a turn with the run', async () => {
  const controller = new AbortController()
  const slots = createRequestSlots(1, createFakeClock(), controller.signal, () => null)
  void slots.enter()
  const turn = slots.enter()
  controller.abort('pause')
  await expect(turn).rejects.toBe('pause')
})
