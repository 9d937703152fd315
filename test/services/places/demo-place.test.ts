import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import type { NamedValues } from '../../../electron/services/persistence/named-values.ts'
import { hostDemoStore, type DemoHostDeps } from '../../../electron/services/places/demo-place.ts'
import { createStore } from '../../../electron/stores/index.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { worded } from '../../../shared/language/message.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

const { signal } = new AbortController()

/** A demo store in this process, which a test can let end as a crash would. */
function world(values: NamedValues, directory: string) {
  const told: string[] = []
  let nowMs = 0
  let crash = (): Promise<void> => Promise.resolve()
  const deps: DemoHostDeps = {
    ...{ values, directory },
    clock: { monotonicMs: () => nowMs },
    tell: (sentence) => void told.push(worded(sentence)),
    async start(options, onGone, beforeListen) {
      const running = await startDemoStore({ ...options, beforeListen })
      crash = async () => {
        await running.close()
        onGone()
      }
      return running
    },
  }
  const crashed = () => crash()
  return { deps, told, crashed, wait: (ms: number) => void (nowMs += ms) }
}

it('keeps its objects and its port over a restart, with new keys', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const { deps } = world(values, folder)
  const first = await hostDemoStore(deps)
  const store = createStore(first.connection)
  const bytes = Buffer.from('hello')
  const body = { sizeBytes: bytes.length, open: () => single(bytes) }
  await store.putObject({ key: 'a.txt', body, signal })
  await store.close()
  await first.close()
  const second = await hostDemoStore(deps)
  onTestFinished(() => second.close())
  const again = createStore(second.connection)
  onTestFinished(() => again.close())
  const { objects } = await again.listObjects({ signal })
  expect(objects.map(({ key }) => key)).toEqual(['a.txt'])
  expect(second.place.endpoint).toBe(first.place.endpoint)
  expect(second.connection.credentials).not.toEqual(first.connection.credentials)
})

it('is a place at its address before it runs, and what is asked of it waits', async () => {
  const values = memoryValues()
  const { deps } = world(values, join(await tempDir(), 'demo'))
  const first = await hostDemoStore(deps)
  await first.close()
  let load = (): void => undefined
  const loaded = new Promise<void>((resolve) => (load = resolve))
  const start: DemoHostDeps['start'] = (...asked) => loaded.then(() => deps.start(...asked))
  const second = await hostDemoStore({ ...deps, start })
  onTestFinished(() => second.close())
  expect(second.place.endpoint).toBe(first.place.endpoint)
  const store = createStore(second.connection)
  onTestFinished(() => store.close())
  const listed = store.listObjects({ signal })
  load()
  expect((await listed).objects).toEqual([])
  expect(await second.started).toMatchObject({ problem: null })
})

it('has kept its port before its process begins, which a kill may follow', async () => {
  const values = memoryValues()
  const { deps } = world(values, join(await tempDir(), 'demo'))
  const first = await hostDemoStore({ ...deps, start: () => Promise.reject(new Error('killed')) })
  await first.started
  const second = await hostDemoStore(deps)
  onTestFinished(() => second.close())
  expect(second.place.endpoint).toBe(first.place.endpoint)
})

it('takes another port when its own is taken', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const { deps } = world(values, folder)
  const first = await hostDemoStore(deps)
  await first.close()
  const other = createServer()
  await once(other.listen(Number(new URL(first.place.endpoint).port), '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const second = await hostDemoStore(deps)
  onTestFinished(() => second.close())
  expect(second.place.endpoint).not.toBe(first.place.endpoint)
})

it('keeps its port from others until it listens there, however long that takes', async () => {
  const { deps } = world(memoryValues(), join(await tempDir(), 'demo'))
  const other = createServer()
  let isTaken: boolean | null = null
  const start: DemoHostDeps['start'] = async (...asked) => {
    isTaken = await once(other.listen(asked[0].port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    return deps.start(...asked)
  }
  onTestFinished(() => void other.close())
  const host = await hostDemoStore({ ...deps, start })
  onTestFinished(() => host.close())
  expect([(await host.started).problem, isTaken]).toEqual([null, false])
})

it('says why it can’t open, and lets the app start', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const { deps } = world(values, folder)
  const first = await hostDemoStore(deps)
  onTestFinished(() => first.close())
  expect((await first.started).problem).toBeNull()
  const second = await hostDemoStore(deps)
  expect(String((await second.started).problem)).toContain('already served by another process')
})

it('is there again after a crash, with its address, keys and objects, and says so', async () => {
  const { deps, told, crashed } = world(memoryValues(), join(await tempDir(), 'demo'))
  const host = await hostDemoStore(deps)
  onTestFinished(() => host.close())
  const store = createStore(host.connection)
  onTestFinished(() => store.close())
  const bytes = Buffer.from('hello')
  await store.putObject({ key: 'a.txt', body: { sizeBytes: bytes.length, open: () => single(bytes) }, signal })
  const again = vi.fn()
  host.onAgain(again)
  await crashed()
  await whenHolds(() => expect(told).toEqual([expect.stringContaining('was started again')]))
  await whenHolds(() => expect(again).toHaveBeenCalledOnce())
  const { objects } = await store.listObjects({ signal })
  expect(objects.map(({ key }) => key)).toEqual(['a.txt'])
})

it('stays off when it crashes again and again, but not for a crash now and then', async () => {
  const { deps, told, crashed, wait } = world(memoryValues(), join(await tempDir(), 'demo'))
  const host = await hostDemoStore(deps)
  await host.started
  const times = async (count: number) => {
    await crashed()
    await whenHolds(() => expect(told).toHaveLength(count))
    return told.at(-1)
  }
  for (let count = 1; count <= 4; count += 1) {
    expect(await times(count)).toContain('was started again')
    wait(60_000)
  }
  expect(await times(5)).toContain('was started again')
  expect(await times(6)).toContain('was started again')
  expect(await times(7)).toContain('left off')
  await host.close()
})

it('writes no secret', async () => {
  const values = memoryValues()
  const host = await hostDemoStore(world(values, join(await tempDir(), 'demo')).deps)
  onTestFinished(() => host.close())
  expect(values.text()).not.toContain(host.connection.credentials?.secretAccessKey)
})

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

it('is called in the language of the window', async () => {
  const { deps } = world(memoryValues(), join(await tempDir(), 'demo'))
  const demo = await hostDemoStore(deps)
  onTestFinished(() => demo.close())
  onTestFinished(() => setLanguage(languageOf('en')))
  expect(demo.place.name).toBe('Demo store')
  setLanguage(languageOf('zh-CN'))
  expect(demo.place.name).toBe('演示存储')
})
