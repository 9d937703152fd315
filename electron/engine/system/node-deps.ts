import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import type { Clock, EngineDeps } from '../core/deps.ts'
import { contentTypeOf } from './content-type.ts'
import { realPath } from '../files/real-path.ts'
import { createHasher } from '../hashing/hash-pool.ts'
import { createQuarantineMark } from './quarantine-mark.ts'
import { inVolumeTurns } from '../volumes/volume-turns.ts'
import { Volumes } from '../volumes/volumes.ts'
import { builtWorkerUrl } from './worker-url.ts'

/** What the engine needs from Node and this machine. The caller adds checkpoints and stores, and closes the hasher. */
export function createNodeDeps(
  clock: Clock,
  sidecarKey: Uint8Array,
): Omit<EngineDeps, 'checkpoints' | 'openStore' | 'openUploads'> {
  const files = { ...fileSystem, realpath: realPath }
  const volumes = new Volumes(files)
  return {
    sidecarKey,
    clock,
    random: Math.random,
    uuid: randomUUID,
    fileSystem: inVolumeTurns(files, volumes),
    hasher: createHasher({
      workerUrl: builtWorkerUrl('hash-worker'),
      deviceOf: (path) => volumes.deviceOf(path),
    }),
    markOrigin: createQuarantineMark(),
    contentTypeOf,
  }
}
