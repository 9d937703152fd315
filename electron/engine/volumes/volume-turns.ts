import { dirname } from 'node:path'
import { Turns } from '../async/turns.ts'
import type { FileSystem } from '../core/deps.ts'
import { driveOf } from './drives.ts'
import { eachCall } from './each-call.ts'

/** Of the four threads that Node has for all files and host names, calls about one volume take at most this many. */
const MOST_AT_A_TIME = 2
/** And looks at folders whose volume is not known yet take at most this many for each drive. */
const LOOKS_AT_A_TIME = 1
/** When the volumes of this many folders are known, all are forgotten. */
const KNOWN_FOLDERS = 1000

/**
 * The file system, with one thread of Node's left for everything else, whatever is asked of a volume: on a share that
 * hangs, each call keeps its thread until the share is back. If all threads hung, checkpoints, other drives and host
 * names would wait for the share, too.
 */
export function inVolumeTurns(fileSystem: FileSystem): FileSystem {
  const volumes = new Volumes((folder) => fileSystem.stat(folder))
  return eachCall(fileSystem, async (path, call) => {
    const turns = volumes.known(path) ?? (await volumes.find(dirname(path)))
    return turns.take(call)
  })
}

/** Finds out, only once, which volume a folder is on. */
class Volumes {
  readonly #stat: (folder: string) => Promise<{ readonly dev: number }>
  readonly #byDevice = new Map<number, Turns>()
  readonly #byFolder = new Map<string, Turns>()
  /** For each drive, as far as paths tell, the turns of the looks at folders whose volume is not known. */
  readonly #looks = new Map<string, Turns>()
  readonly #finding = new Map<string, Promise<Turns>>()

  constructor(stat: (folder: string) => Promise<{ readonly dev: number }>) {
    this.#stat = stat
  }

  /** Undefined if nobody has asked yet. */
  known(path: string): Turns | undefined {
    return this.#byFolder.get(path) ?? this.#byFolder.get(dirname(path))
  }

  find(folder: string): Promise<Turns> {
    const finding = this.#finding.get(folder) ?? this.#look(folder).finally(() => this.#finding.delete(folder))
    this.#finding.set(folder, finding)
    return finding
  }

  async #look(folder: string): Promise<Turns> {
    const drive = driveOf(folder)
    const looks = this.#looks.get(drive) ?? new Turns(LOOKS_AT_A_TIME)
    this.#remember(this.#looks, drive, looks)
    try {
      const { dev } = await looks.take(() => this.#stat(folder))
      const turns = this.#byDevice.get(dev) ?? new Turns(MOST_AT_A_TIME)
      this.#byDevice.set(dev, turns)
      this.#remember(this.#byFolder, folder, turns)
      return turns
    } catch {
      // If the folder can't be found, the call itself fails.
      return looks
    }
  }

  #remember(known: Map<string, Turns>, path: string, turns: Turns): void {
    if (known.size >= KNOWN_FOLDERS) known.clear()
    known.set(path, turns)
  }
}
