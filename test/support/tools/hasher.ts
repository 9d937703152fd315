import * as fileSystem from 'node:fs/promises'
import { homedir } from 'node:os'
import { onTestFinished } from 'vitest'
import type { Hasher } from '../../../electron/engine/core/deps.ts'
import { createHasher } from '../../../electron/engine/hashing/hash-pool.ts'
import { Volumes } from '../../../electron/engine/volumes/volumes.ts'
import { workerUrl } from './worker-url.ts'

/** The real hasher with real threads, closed when the test is over. */
export async function createTestHasher(workers = 1): Promise<Hasher> {
  const volumes = new Volumes(fileSystem, homedir())
  const hasher = createHasher({
    workers,
    workerUrl: await workerUrl('hashing/hash-worker.ts'),
    deviceOf: (path) => volumes.deviceOf(path),
  })
  onTestFinished(() => hasher.close())
  return hasher
}
