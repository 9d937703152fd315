import type { Random } from './random.ts'
import type { SimFile } from './machine/sim-disk.ts'

/** How often each kind of trouble comes, as probabilities per occasion. */
interface Weather {
  readonly fileSystem: number
  readonly failedSync: number
  readonly shortWrite: number
  readonly checkpoint: number
  readonly connect: number
  readonly busy: number
  readonly serverError: number
  readonly refusal: number
  readonly oddResponse: number
  readonly rangeIgnored: number
  readonly shortBody: number
  readonly longBody: number
  readonly stall: number
}

const CALM: Weather = {
  fileSystem: 0,
  failedSync: 0,
  shortWrite: 0,
  checkpoint: 0,
  connect: 0,
  busy: 0,
  serverError: 0,
  refusal: 0,
  oddResponse: 0,
  rangeIgnored: 0,
  shortBody: 0,
  longBody: 0,
  stall: 0,
}

/** Codes that a call may fail with. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  open: ['EACCES', 'EROFS', 'EIO', 'ENOSPC', 'EMFILE'],
  openToRead: ['EIO', 'EMFILE'],
  stat: ['EIO'],
  statfs: ['EIO'],
  write: ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
  read: ['EIO'],
  truncate: ['EIO', 'EROFS'],
  utimes: ['EPERM', 'EIO'],
  syncFolder: ['EIO'],
  rename: ['EBUSY', 'EACCES', 'EIO', 'ENOSPC'],
  link: ['EACCES', 'EIO', 'ENOSPC', 'EMLINK', 'EBUSY'],
  unlink: ['EBUSY', 'EACCES', 'EIO', 'EROFS'],
  closed: ['EIO'],
}
/** Codes that a commit may fail with: of SQLite, and what a full disk is told as. */
const COMMIT_CODES = ['SQLITE_IOERR', 'ENOSPC'] as const
const CHANGES = new Set(['open', 'write', 'truncate', 'utimes', 'rename', 'link', 'unlink', 'mkdir'])

/** What goes wrong, and how slow things are. Each world has kinds of trouble of its own, some of them often. */
export class Faults {
  isDiskFull = false
  isReadOnly = false
  readonly #random: Random
  readonly #slowness: number
  #retryOrThrow: Weather

  constructor(random: Random) {
    this.#random = random
    this.#slowness = random.pick([0.2, 1, 1, 5])
    const share = (most: number): number => (random.chance(0.35) ? random.next() ** 2 * most : 0)
    this.#retryOrThrow = {
      fileSystem: share(0.1),
      failedSync: share(0.5),
      shortWrite: share(0.5),
      checkpoint: share(0.1),
      connect: share(0.8),
      busy: share(0.5),
      serverError: share(0.5),
      refusal: share(0.1),
      oddResponse: share(0.4),
      rangeIgnored: share(0.4),
      shortBody: share(0.8),
      longBody: share(0.3),
      stall: share(0.3),
    }
  }

  /** Everything works from now on. */
  heal(): void {
    this.#retryOrThrow = CALM
    this.isDiskFull = false
    this.isReadOnly = false
  }

  /** Whether trouble of this kind comes now. */
  strikes(kind: Exclude<keyof Weather, 'fileSystem' | 'failedSync' | 'shortWrite' | 'checkpoint'>): boolean {
    return this.#random.chance(this.#retryOrThrow[kind])
  }

  /** Code of the error that a commit ends with, or null. */
  commitFault(): string | null {
    return this.#random.chance(this.#retryOrThrow.checkpoint) ? this.#random.pick(COMMIT_CODES) : null
  }

  diskDelayMs(): number {
    return this.#slowness * this.#random.between(0.05, 2)
  }

  /** Code of the error that a call ends with, or null. */
  fileSystemFault(call: string): string | null {
    if (this.isReadOnly && CHANGES.has(call)) return 'EROFS'
    if (this.isDiskFull && (call === 'link' || call === 'rename') && this.#random.chance(0.2)) return 'ENOSPC'
    const codes = CODES[call]
    return codes !== undefined && this.#random.chance(this.#retryOrThrow.fileSystem) ? this.#random.pick(codes) : null
  }

  isShortWrite(): boolean {
    return this.#random.chance(this.#retryOrThrow.shortWrite)
  }

  isFailedSync(): boolean {
    return this.#random.chance(this.#retryOrThrow.failedSync)
  }

  damage(file: SimFile): void {
    file.loseSync(this.#random)
  }
}
