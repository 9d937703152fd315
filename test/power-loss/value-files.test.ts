import { afterEach, expect, it, vi } from 'vitest'
import { createValueFiles } from '../../electron/services/persistence/value-files.ts'
import { createRandom } from '../simulation/random.ts'
import { atEachCall, nodeFilesOn } from '../support/fakes/node-disk.ts'
import { SimulatedDisk, systemError } from '../support/fakes/simulated-disk.ts'

const FOLDER = '/state/values'
type Files = Readonly<Record<string, (...given: never[]) => unknown>>
const mocked = vi.hoisted((): { files: Files } => ({ files: {} }))

vi.mock('node:fs/promises', () => ({
  open: (...given: never[]) => mocked.files['open']?.(...given),
  mkdir: (...given: never[]) => mocked.files['mkdir']?.(...given),
  rename: (...given: never[]) => mocked.files['rename']?.(...given),
}))

const use = (disk: SimulatedDisk): void => void (mocked.files = nodeFilesOn(disk) as unknown as Files)
const openValues = () => createValueFiles(FOLDER)

afterEach(() => {
  mocked.files = {}
})

const CHANGES = [
  ['places', '["one"]'],
  ['settings', '{"a":1}'],
  ['places', '["one","two"]'],
  ['places', '["one","two","three"]'],
  ['settings', '{"a":2}'],
] as const

it('gives each value as it was last kept, or as it was just being changed, wherever the power goes', async () => {
  const randoms = Array.from({ length: 12 }, (_, seed) => {
    const random = createRandom(seed + 1)
    return () => random.next()
  })
  let kept = new Map<string, string>()
  let begun: readonly [string, string] | null = null
  const points = await atEachCall(
    '/state',
    randoms,
    async (disk) => {
      use(disk)
      kept = new Map()
      begun = null
      const values = openValues()
      for (const [name, json] of CHANGES) {
        begun = [name, json]
        await values.setValue(name, json)
        kept.set(name, json)
      }
    },
    async ({ disk }, call) => {
      use(disk)
      const values = openValues()
      for (const name of ['places', 'settings']) {
        const possible = [kept.get(name) ?? null, ...(begun?.[0] === name ? [begun[1]] : [])]
        expect(possible, `call ${String(call)}`).toContain(await values.getValue(name))
      }
      await values.setValue('places', '["after"]')
      expect(await openValues().getValue('places')).toBe('["after"]')
    },
  )
  expect(points).toBeGreaterThan(CHANGES.length * 6)
})

it('gives the version before one that the drive can’t read any more', async () => {
  const disk = new SimulatedDisk('/state')
  use(disk)
  const files = openValues()
  for (const json of ['1', '2']) await files.setValue('settings', json)
  let failures = 0
  disk.onCall = (call, path) => {
    if (call !== 'readFile' || !path.endsWith('settings.json')) return
    failures += 1
    throw systemError('EIO', call)
  }
  expect([await openValues().getValue('settings'), failures]).toEqual(['1', 1])
})
