import { expect, it } from 'vitest'
import type { SourceFiles } from '../../../../electron/engine/folders/upload/source-files.ts'
import type { ObjectStore, PutObjectRequest } from '../../../../electron/stores/port/object-store.ts'
import { StoreError } from '../../../../electron/stores/port/store-error.ts'
import { MIB } from '../../../../shared/limits.ts'
import {
  createUploadFolderWorld,
  uploadFolder,
  type UploadFolderWorld,
} from '../../../support/worlds/upload-folder-world.ts'

/** A folder of two files; somebody else makes the object of one while it is read, once. */
async function createContested(content: string | Buffer): Promise<UploadFolderWorld> {
  let isDone = false
  const world: UploadFolderWorld = await createUploadFolderWorld((sources: SourceFiles) => ({
    ...sources,
    walk: () => sources.walk(),
    stat: (names) => meanwhile(names[0], () => sources.stat(names)),
    read: (file) => meanwhile(file.name, () => sources.read(file)),
  }))
  async function meanwhile<Value>(name: string | undefined, then: () => Promise<Value>): Promise<Value> {
    if (name === 'photos/a' && !isDone) {
      isDone = true
      await world.put('up/photos/a', 'theirs')
    }
    return then()
  }
  await world.write('a', content)
  await world.write('b', 'B')
  return world
}

/** Has the service honor a condition, which the embedded one can't. */
function withConditions({ store }: UploadFolderWorld, before: () => Promise<void> = () => Promise.resolve()): void {
  const { putObject, headObject } = store
  const condition: Partial<ObjectStore> = {
    capabilities: { ...store.capabilities, ifAbsent: { put: true, complete: false } },
    async putObject(request: PutObjectRequest) {
      await before()
      const isTaken = await headObject({ key: request.key, signal: request.signal }).then(
        () => true,
        () => false,
      )
      const facts = { httpStatus: 412, maybeProcessed: false }
      if (isTaken && request.ifAbsent === true) throw new StoreError('PreconditionFailed', 'It is taken', facts)
      return putObject(request)
    },
  }
  Object.assign(store, condition)
}

it.each(['small', 'large'] as const)(
  'leaves alone what comes to the key of a %s file after it was listed',
  async (size) => {
    const content = size === 'small' ? 'ours' : Buffer.alloc(17 * MIB, 1)
    const world = await createContested(content)
    const engine = await world.open()
    const row = await uploadFolder(world, engine, 'skip')
    expect(row).toMatchObject({ status: 'failed', items: { done: 1, failed: 1 } })
    expect(engine.details(row.id)?.failures).toMatchObject([
      { key: 'up/photos/a', error: { code: 'conflict-on-server' } },
    ])
    expect(await world.objects()).toEqual({ 'up/photos/a': 'theirs', 'up/photos/b': 'B' })
    await engine.retry([row.id])
    await engine.idle()
    expect(engine.snapshot().rows).toMatchObject([{ status: 'completed', items: { done: 2 } }])
    expect(await world.objects()).toMatchObject({ 'up/photos/a': 'theirs' })
  },
)

it('has the service refuse what comes at the very moment', async () => {
  const world = await createUploadFolderWorld()
  await world.write('a', 'ours')
  withConditions(world, () => world.put('up/photos/a', 'theirs'))
  const engine = await world.open()
  const row = await uploadFolder(world, engine, 'keep-both')
  expect(engine.details(row.id)?.failures).toMatchObject([{ error: { code: 'conflict-on-server' } }])
  expect(await world.objects()).toEqual({ 'up/photos/a': 'theirs' })
})

it('knows an object of its own whose response was lost', async () => {
  for (const hasConditions of [true, false]) {
    const world = await createUploadFolderWorld()
    await world.write('a', 'ours')
    if (hasConditions) withConditions(world)
    const lost = { kind: 'drop-response' } as const
    world.proxy.rule({ when: { method: 'PUT' }, fault: lost, times: 1 })
    const engine = await world.open()
    expect(await uploadFolder(world, engine, 'skip')).toMatchObject({ status: 'completed', items: { done: 1 } })
    expect(await world.objects()).toEqual({ 'up/photos/a': 'ours' })
  }
})

it('replaces what comes meanwhile where everything is to be replaced', async () => {
  const world = await createContested('ours')
  expect(await uploadFolder(world, await world.open(), 'replace')).toMatchObject({ status: 'completed' })
  expect(await world.objects()).toEqual({ 'up/photos/a': 'ours', 'up/photos/b': 'B' })
})

it('gives up a listing of what is there whose pages are empty and do not end', async () => {
  const world = await createUploadFolderWorld()
  await world.write('a', 'ours')
  let asked = 0
  const listObjects: ObjectStore['listObjects'] = () => {
    asked += 1
    const nextMarker = asked > 200_000 ? null : `up/photos/${1_000_000 + asked}`
    return Promise.resolve({ objects: [], prefixes: [], nextMarker, requestId: 'r-7' })
  }
  Object.assign(world.store, { listObjects })
  const row = await uploadFolder(world, await world.open(), 'skip')
  const detail = 'The pages of ListObjects never end'
  expect(row).toMatchObject({ status: 'failed', error: { code: 'answer-unreadable', detail, requestId: 'r-7' } })
})
