import { afterEach, expect, it, vi } from 'vitest'
import { openSidecarKey } from '../../electron/engine/system/sidecar-key.ts'
import { createRandom } from '../simulation/random.ts'
import { atEachCall, nodeFilesOn } from '../support/fakes/node-disk.ts'
import { SimulatedDisk, systemError } from '../support/fakes/simulated-disk.ts'

type Calls = Readonly<Record<string, (...given: never[]) => unknown>>
const mocked = vi.hoisted((): { files: Calls } => ({ files: {} }))

vi.mock('node:fs/promises', () => {
  const names = ['open', 'rename']
  return Object.fromEntries(names.map((name) => [name, (...given: never[]) => mocked.files[name]?.(...given)]))
})

const use = (disk: SimulatedDisk): void => void (mocked.files = nodeFilesOn(disk))

afterEach(() => {
  mocked.files = {}
})

it('gives a whole key that stays, wherever the power goes while the first one is made', async () => {
  const randoms = Array.from({ length: 100 }, (_, seed) => {
    const random = createRandom(seed + 1)
    return () => random.next()
  })
  let kept: Uint8Array | null = null
  const points = await atEachCall(
    '/state',
    randoms,
    async (disk) => {
      use(disk)
      kept = null
      const given = await openSidecarKey('/state')
      // From here on it is used.
      kept = given
      disk.onCall('use', '/state')
    },
    async ({ disk }, call) => {
      use(disk)
      const key = await openSidecarKey('/state')
      if (kept !== null) expect(key, `call ${String(call)}`).toEqual(kept)
      expect(key, `call ${String(call)}`).toHaveLength(32)
      // As a file is that grew before its content came.
      expect(key, `call ${String(call)}`).not.toEqual(Buffer.alloc(32))
      expect(await openSidecarKey('/state')).toEqual(key)
    },
  )
  expect(points).toBeGreaterThan(5)
})

it('gives a new key for one that the drive can’t read any more', async () => {
  const disk = new SimulatedDisk('/state')
  use(disk)
  const first = await openSidecarKey('/state')
  let failures = 0
  disk.onCall = (call) => {
    if (call !== 'readFile' || failures > 0) return
    failures += 1
    throw systemError('EIO', call)
  }
  const second = await openSidecarKey('/state')
  expect([second.length, failures]).toEqual([32, 1])
  expect(second).not.toEqual(first)
  expect(await openSidecarKey('/state')).toEqual(second)
})
