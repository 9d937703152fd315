import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import type { Clock, EngineDeps } from '../core/deps.ts'
import { contentTypeOf } from './content-type.ts'
import { realPath } from '../files/real-path.ts'
import { createHasher } from '../hashing/hash-pool.ts'
import { createQuarantineMark } from './quarantine-mark.ts'
import { statInTurn } from './stat-in-turn.ts'
import { builtWorkerUrl } from './worker-url.ts'

/** What the engine needs of Node and this machine; the caller adds checkpoints and stores, and closes the hasher. */
export function createNodeDeps(
  clock: Clock,
  sidecarKey: Uint8Array,
): Omit<EngineDeps, 'checkpoints' | 'openStore' | 'openUploads'> {
  return {
    sidecarKey,
    clock,
    random: Math.random,
    uuid: randomUUID,
    fileSystem: { ...fileSystem, stat: statInTurn(fileSystem.stat), realpath: realPath },
    hasher: createHasher({ workerUrl: builtWorkerUrl('hash-worker') }),
    markOrigin: createQuarantineMark(),
    contentTypeOf,
  }
}
