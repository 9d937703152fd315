import { expect, test } from 'vitest'
import { startScript } from '../support/servers/scripted-server.ts'
import { openStore } from './support/open-store.ts'

test('many requests may end on one signal, and Node warns of nothing', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  const { endpoint } = await startScript([{ status: 200 }])
  const store = openStore(endpoint)
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 40 }, () => store.headObject({ key: 'k', signal })))
  await new Promise(setImmediate)
  process.off('warning', note)
  expect(warnings).toEqual([])
})
