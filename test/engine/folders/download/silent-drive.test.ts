import { expect, it } from 'vitest'
import { createFolderWorld, enqueueFolder, rowOf } from '../../../support/worlds/folder-world.ts'

/** A folder of two small objects, whose files can't be written until the drive is back. */
async function createHangingWorld() {
  let back = (): void => undefined
  const away = new Promise<void>((resolve) => (back = resolve))
  const world = await createFolderWorld(undefined, (files) => ({
    ...files,
    async write(file) {
      await away
      return files.write(file)
    },
  }))
  for (const key of ['data/one', 'data/two']) await world.put(key, key)
  return { world, back }
}

it('of a drive that answers no write a folder says that it waits for it, and goes on by itself', async () => {
  const { world, back } = await createHangingWorld()
  const engine = await world.open()
  const id = await enqueueFolder(world, engine)
  await expect.poll(() => rowOf(engine, id).wait?.reason, { timeout: 30_000 }).toBe('drive-unresponsive')
  back()
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', wait: null, items: { done: 2, failed: 0 } })
})

it('a pause does not wait for it, and what was to be written is there when the folder goes on', async () => {
  const { world, back } = await createHangingWorld()
  const engine = await world.open()
  const id = await enqueueFolder(world, engine)
  await expect.poll(() => world.fetched().length).toBe(2)
  await engine.pause([id])
  expect(rowOf(engine, id)).toMatchObject({ status: 'paused', items: { done: 0 } })
  await engine.resume([id])
  await expect.poll(() => rowOf(engine, id).wait?.reason).toBe('drive-unresponsive')
  back()
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 2, failed: 0 } })
  expect(await world.files()).toEqual(['one', 'two'])
})
