import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hostDemoStore } from '../../../electron/services/places/demo-place.ts'
import { createStore } from '../../../electron/stores/index.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const signal = AbortSignal.timeout(20_000)

it('keeps its objects and its port over a restart, with new keys', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const first = await hostDemoStore(values, folder)
  const store = createStore(first.connection)
  const bytes = Buffer.from('hello')
  const body = { sizeBytes: bytes.length, open: () => single(bytes) }
  await store.putObject({ key: 'a.txt', body, signal })
  await store.close()
  await first.close()
  const second = await hostDemoStore(values, folder)
  onTestFinished(() => second.close())
  const again = createStore(second.connection)
  onTestFinished(() => again.close())
  const { objects } = await again.listObjects({ signal })
  expect(objects.map(({ key }) => key)).toEqual(['a.txt'])
  expect(second.place.endpoint).toBe(first.place.endpoint)
  expect(second.connection.credentials).not.toEqual(first.connection.credentials)
})

it('takes another port when its own is taken', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const first = await hostDemoStore(values, folder)
  await first.close()
  const other = createServer()
  await once(other.listen(Number(new URL(first.place.endpoint).port), '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const second = await hostDemoStore(values, folder)
  onTestFinished(() => second.close())
  expect(second.place.endpoint).not.toBe(first.place.endpoint)
})

it('says why it can’t open, and lets the app start', async () => {
  const values = memoryValues()
  const folder = join(await tempDir(), 'demo')
  const first = await hostDemoStore(values, folder)
  onTestFinished(() => first.close())
  const second = await hostDemoStore(values, folder)
  expect(String(second.problem)).toContain('already served by another process')
})

it('writes no secret', async () => {
  const values = memoryValues()
  const host = await hostDemoStore(values, join(await tempDir(), 'demo'))
  onTestFinished(() => host.close())
  expect(values.text()).not.toContain(host.connection.credentials?.secretAccessKey)
})

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
