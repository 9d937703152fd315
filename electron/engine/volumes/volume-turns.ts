import type { FileSystem } from '../core/deps.ts'
import { eachCall } from './each-call.ts'
import type { Volumes } from './volumes.ts'

/**
 * The file system, with one thread of Node's left for everything else, whatever is asked of a volume: on a share that
 * hangs, each call keeps its thread until the share is back. If all threads hung, checkpoints, other drives and host
 * names would wait for the share, too.
 */
export function inVolumeTurns(fileSystem: FileSystem, volumes: Volumes): FileSystem {
  return eachCall(fileSystem, async (path, call) => {
    const { turns } = await volumes.of(path)
    return turns.take(call)
  })
}
