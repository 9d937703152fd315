import { randomUUID } from 'node:crypto'
import type { Clock, EngineDeps } from '../core/deps.ts'
import { contentTypeOf } from './content-type.ts'
import { createHasher } from '../hashing/hash-pool.ts'
import { nodeFiles, nodeVolumes } from './node-files.ts'
import { createQuarantineMark } from './quarantine-mark.ts'
import { builtWorkerUrl } from './worker-url.ts'

/** What the engine needs from Node and this machine. The caller adds checkpoints and stores, and closes the hasher. */
export function createNodeDeps(
  clock: Clock,
  sidecarKey: Uint8Array,
): Omit<EngineDeps, 'checkpoints' | 'openStore' | 'openUploads'> {
  return {
    sidecarKey,
    clock,
    random: Math.random,
    uuid: randomUUID,
    fileSystem: nodeFiles,
    hasher: createHasher({
      workerUrl: builtWorkerUrl('hash-worker'),
      deviceOf: (path) => nodeVolumes.deviceOf(path),
    }),
    markOrigin: createQuarantineMark(),
    contentTypeOf,
  }
}
