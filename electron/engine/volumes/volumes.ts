import { dirname } from 'node:path'
import { Turns } from '../../../shared/turns.ts'
import { AT_ONCE, bothTurns, type TakesTurns } from '../async/turns.ts'
import type { FileSystem } from '../core/deps.ts'
import { driveOf } from './drives.ts'

/** Of the four threads that Node has for all files and host names, calls about one volume take at most this many. */
const MOST_AT_A_TIME = 2
/**
 * And those about all volumes but the one of the home folder: a server that goes away takes all its shares along. One
 * share leaves a turn to another drive.
 */
const MOST_AWAY_FROM_HOME = 3
/** And looks at folders whose volume is not known yet take at most this many for each drive. */
const LOOKS_AT_A_TIME = 1
/** When the volumes of this many folders are known, all are forgotten. */
const KNOWN_FOLDERS = 1000

/** What is known of the volume that holds a folder. */
export interface Volume {
  /** `dev` of `stat`; null if the folder can't be found, so that only its drive is known. */
  readonly device: number | null
  /** Calls about its files take these turns. */
  readonly turns: TakesTurns
}

/** Remembers which volume each folder is on: the system is asked only once. */
export class Volumes {
  readonly #fileSystem: Pick<FileSystem, 'stat'>
  readonly #byDevice = new Map<number, Volume>()
  readonly #byFolder = new Map<string, Volume>()
  /** For each drive, as far as paths tell, the turns of the looks at folders whose volume is not known. */
  readonly #looks = new Map<string, Turns>()
  /** The volume of each drive; null if the drive, as far as paths tell, turned out to hold several. */
  readonly #byDrive = new Map<string, Volume | null>()
  readonly #awayFromHome = new Turns(MOST_AWAY_FROM_HOME)
  readonly #home: string
  #homeDevice: Promise<number | null> | null = null
  readonly #finding = new Map<string, Promise<Volume>>()

  /** @param home A folder whose volume the app can't do without: if it hangs, nothing else matters. */
  constructor(fileSystem: Pick<FileSystem, 'stat'>, home: string) {
    this.#fileSystem = fileSystem
    this.#home = home
  }

  /** The volume that a file or folder is on. Never rejects. */
  async of(path: string): Promise<Volume> {
    const folder = dirname(path)
    return this.#byFolder.get(path) ?? this.#byFolder.get(folder) ?? (await this.#find(folder))
  }

  /** The device of the volume that a file is on; null if its folder can't be found. Never rejects. */
  async deviceOf(path: string): Promise<number | null> {
    return (await this.of(path)).device
  }

  #find(folder: string): Promise<Volume> {
    const finding = this.#finding.get(folder) ?? this.#look(folder).finally(() => this.#finding.delete(folder))
    this.#finding.set(folder, finding)
    return finding
  }

  async #look(folder: string): Promise<Volume> {
    const drive = driveOf(folder)
    const looks = this.#looks.get(drive) ?? new Turns(LOOKS_AT_A_TIME)
    remember(this.#looks, drive, looks)
    const others = this.#byDrive.get(drive)?.turns ?? this.#awayFromHome
    // A share may be mounted in the home folder, and hang: the other folders there must not count as being on it.
    const turns = bothTurns(looks, drive === driveOf(this.#home) ? AT_ONCE : others)
    try {
      const { dev } = await turns.take(() => this.#fileSystem.stat(folder))
      const volume = await this.#volumeOf(dev)
      const others = this.#byDrive.get(drive)
      remember(this.#byDrive, drive, others === undefined || others?.device === dev ? volume : null)
      remember(this.#byFolder, folder, volume)
      return volume
    } catch {
      // If the folder can't be found, the call itself fails.
      return { device: null, turns }
    }
  }

  async #volumeOf(device: number): Promise<Volume> {
    this.#homeDevice ??= this.#fileSystem.stat(this.#home).then(
      ({ dev }) => dev,
      () => null,
    )
    const isHome = device === (await this.#homeDevice)
    const own = new Turns(MOST_AT_A_TIME)
    const turns = isHome ? own : bothTurns(own, this.#awayFromHome)
    const volume = this.#byDevice.get(device) ?? { device, turns }
    this.#byDevice.set(device, volume)
    return volume
  }
}

function remember<Known>(known: Map<string, Known>, path: string, value: Known): void {
  if (known.size >= KNOWN_FOLDERS) known.clear()
  known.set(path, value)
}
