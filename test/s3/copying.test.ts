import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSystemClock, moveObject } from '../../electron/engine/index.ts'
import { createRetryPolicy } from '../../electron/engine/retry/create-retry-policy.ts'
import type { ObjectStore } from '../../electron/stores/port/object-store.ts'
import { MIB } from '../../shared/limits.ts'
import { bodyOf, contentOf, signal } from '../stores/support/open-store.ts'
import { describeOnServers } from './support/servers.ts'
import { putSigned } from './support/world.ts'

const TYPE = 'text/x-odd'

function contextOf(store: ObjectStore) {
  const deps = { clock: createSystemClock(), random: Math.random }
  const retrying = { deps, giveUpAfterMs: 30_000, signal, report: { waiting: () => undefined } }
  return { store, deps, retryPolicy: createRetryPolicy(retrying), given: signal }
}

describeOnServers('copying', (createWorld) => {
  test('moves an object with type and metadata, over nothing', async () => {
    const { store } = await createWorld()
    const body = bodyOf(Buffer.from('content'))
    await store.putObject({ key: 'from/a', body, contentType: TYPE, metadata: { author: 'me' }, signal })
    await moveObject(contextOf(store), { from: 'from/a', to: 'to/b', isRetry: false })
    expect((await contentOf(await store.getObject({ key: 'to/b', signal }))).body.toString()).toBe('content')
    const head = await store.headObject({ key: 'to/b', signal })
    expect(head).toMatchObject({ contentType: TYPE, metadata: { author: 'me' } })
    expect((await store.listObjects({ signal })).objects.map(({ key }) => key)).toEqual(['to/b'])
    await store.putObject({ key: 'from/a', body, signal })
    const again = moveObject(contextOf(store), { from: 'from/a', to: 'to/b', isRetry: false })
    await expect(again).rejects.toMatchObject({ fault: 'taken' })
  })

  test('moves objects whatever they are named', async () => {
    const { store } = await createWorld()
    for (const name of ['a b+c', '100 %41%', 'ü/é/ 中 👍', 'hash#query?', 'q\'"<x>&', '/lead', 'a//b', '..']) {
      await store.putObject({ key: `from/${name}`, body: bodyOf(Buffer.from(name)), signal })
      await moveObject(contextOf(store), { from: `from/${name}`, to: `to/${name}`, isRetry: false })
      expect((await contentOf(await store.getObject({ key: `to/${name}`, signal }))).body.toString()).toBe(name)
    }
    expect((await store.listObjects({ prefix: 'from/', signal })).objects).toEqual([])
  })

  test('copies on condition that the original is still the same', async () => {
    const { store } = await createWorld()
    await store.putObject({ key: 'a', body: bodyOf(Buffer.from('old')), signal })
    const { etag } = await store.headObject({ key: 'a', signal })
    await store.putObject({ key: 'a', body: bodyOf(Buffer.from('newer')), signal })
    const request = { sourceKey: 'a', sourceEtag: etag, traits: {}, key: 'b', ifAbsent: true, signal }
    await expect(store.copies?.copyObject(request)).rejects.toMatchObject({ code: 'PreconditionFailed' })
    await expect(store.copies?.copyObject({ ...request, sourceKey: 'gone' })).rejects.toMatchObject({
      code: 'NoSuchKey',
    })
    await expect(store.headObject({ key: 'b', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
  })

  test('moves a large object in parts, with type, metadata and tags', async () => {
    const { store, server, bucket } = await createWorld()
    const bytes = randomBytes(17 * MIB + 5)
    await store.putObject({
      ...{ key: 'film ü+.mov', body: bodyOf(bytes), contentType: TYPE, metadata: { author: 'me' }, signal },
    })
    const tags = '<Tagging><TagSet><Tag><Key>a b</Key><Value>1+2 &amp; 3</Value></Tag></TagSet></Tagging>'
    await putSigned(server, `/${bucket}/film%20%C3%BC%2B.mov?tagging=`, tags)
    const limits = { wholeMaxBytes: 5 * MIB, partBytes: 5 * MIB }
    await moveObject(contextOf(store), { from: 'film ü+.mov', to: 'new/film.mov', isRetry: false }, limits)
    expect((await store.listObjects({ signal })).objects.map(({ key }) => key)).toEqual(['new/film.mov'])
    expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
    const moved = await contentOf(await store.getObject({ key: 'new/film.mov', signal }))
    expect(moved.body.equals(bytes)).toBe(true)
    const head = await store.headObject({ key: 'new/film.mov', signal })
    expect(head).toMatchObject({ contentType: TYPE, metadata: { author: 'me' } })
    expect(head.etag).toMatch(/-4$/)
    expect(head.traits?.['x-amz-tagging-count']).toBe('1')
  })
})
