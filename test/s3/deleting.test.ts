import { expect, test } from 'vitest'
import { bodyOf, signal } from '../stores/support/open-store.ts'
import { describeOnServers } from './support/servers.ts'

describeOnServers('deleting', (createWorld) => {
  test('deletes many at once, missing ones too, and nothing else', async () => {
    const { store } = await createWorld()
    const keys = ['a b/1+2.txt', 'a b/ü & <x>.txt', 'a b/3.txt', 'a b/4.txt']
    for (const key of keys) await store.putObject({ key, body: bodyOf(Buffer.from('x')), signal })
    expect(await store.deleteObjects?.({ keys: [...keys.slice(0, 3), 'a b/gone'], signal })).toEqual([])
    expect((await store.listObjects({ signal })).objects.map(({ key }) => key)).toEqual(['a b/4.txt'])
  })

  test('links to what is there, by the service’s clock', async () => {
    const { store, connection } = await createWorld()
    await store.putObject({ key: 'a b/1+2.txt', body: bodyOf(Buffer.from('hello')), signal })
    const link = (await store.linkTo?.({ key: 'a b/1+2.txt', expiresSeconds: 60, signal })) ?? ''
    expect(await (await fetch(link)).text()).toBe('hello')
    expect(new URL(link).origin).toBe(connection().endpoint)
    await expect(store.linkTo?.({ key: 'gone', expiresSeconds: 60, signal })).rejects.toMatchObject({
      code: 'NoSuchKey',
    })
  })
})
