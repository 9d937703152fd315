import { expect, it } from 'vitest'
import type { SourceFiles } from '../../../../electron/engine/folders/upload/source-files.ts'
import { MIB } from '../../../../shared/limits.ts'
import { rowOf } from '../../../support/worlds/folder-world.ts'
import { createUploadFolderWorld, requestFor } from '../../../support/worlds/upload-folder-world.ts'

/** Files on a share that hangs while something of this kind is asked, until it is let go. */
async function createHangingWorld(what: 'walk' | 'stat' | 'read') {
  let letGo = (): void => undefined
  let hang: Promise<void> | null = new Promise((resolve) => (letGo = resolve))
  const answers = async <T>(kind: typeof what, answer: () => Promise<T>): Promise<T> => {
    if (kind === what) await hang
    return answer()
  }
  const world = await createUploadFolderWorld((sources: SourceFiles) => ({
    ...sources,
    async *walk() {
      await answers('walk', () => Promise.resolve())
      yield* sources.walk()
    },
    stat: (names) => answers('stat', () => sources.stat(names)),
    read: (file) => answers('read', () => sources.read(file)),
  }))
  await world.write('small', 'small')
  await world.write('large', Buffer.alloc(7 * MIB, 1))
  return {
    world,
    letGo() {
      hang = null
      letGo()
    },
  }
}

it('a folder that is uploaded leaves no watch behind that would keep a command from ending', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  const world = await createUploadFolderWorld()
  await world.write('small', 'small')
  await world.write('large', Buffer.alloc(7 * MIB, 1))
  const engine = await world.open()
  const before = timers()
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await engine.idle()
  expect(rowOf(engine, id).status).toBe('completed')
  expect(timers()).toBeLessThanOrEqual(before)
})

it.each(['walk', 'stat', 'read'] as const)(
  'of a drive that does not answer when asked for a %s a folder says that it waits for it, and goes on by itself',
  async (what) => {
    const { world, letGo } = await createHangingWorld(what)
    const engine = await world.open()
    const id = await engine.enqueueUploadFolder(requestFor(world))
    await expect.poll(() => rowOf(engine, id).wait?.reason, { timeout: 30_000 }).toBe('drive-unresponsive')
    expect(rowOf(engine, id).status).toBe('waiting')
    letGo()
    await engine.idle()
    expect(rowOf(engine, id)).toMatchObject({ status: 'completed', wait: null, items: { done: 2, failed: 0 } })
  },
)

it.each(['walk', 'stat', 'read'] as const)(
  'a folder whose drive does not answer when asked for a %s can be paused, and goes on when it is back',
  async (what) => {
    const { world, letGo } = await createHangingWorld(what)
    const engine = await world.open()
    const id = await engine.enqueueUploadFolder(requestFor(world))
    await expect.poll(() => rowOf(engine, id).status).not.toBe('queued')
    await engine.pause([id])
    await expect.poll(() => rowOf(engine, id).status).toBe('paused')
    letGo()
    await engine.resume([id])
    await engine.idle()
    expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 2, failed: 0 } })
  },
)
