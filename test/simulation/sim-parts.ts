import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { SimDisk, SimFile } from './machine/sim-disk.ts'
import type { DownloadAccount } from './download/download-account.ts'
import type { LineTerms } from './line/line-draw.ts'
import type { Line } from './line/line.ts'
import type { SimProcess } from './machine/sim-process.ts'
import type { SimService } from './download/sim-service.ts'
import type { Timeline, Trace } from './timeline.ts'

/** What the rules of the world hear of the network. */
export interface NetworkRules {
  requested(key: string): void
  delivered(key: string, bytes: number): void
  /** Bytes that came, but were stopped before the bandwidth limit let them through. */
  leftUnpaid(bytes: number): void
  violated(text: string): void
}

export interface SimStoreParts {
  readonly timeline: Timeline
  readonly line: Line
  readonly lineTerms: LineTerms
  readonly account: DownloadAccount
  /** The service has no moods: what it does follows from the line's terms. */
  readonly isHonest: boolean
  readonly process: SimProcess
  readonly service: SimService
  readonly faults: Faults
  readonly random: Random
  readonly rules: NetworkRules
  readonly trace: Trace
}

/** What the rules of the world say of a change to the disk, before it happens. */
export interface DiskRules {
  /** `path` is about to be written, cut, removed or given to another file. */
  beforeChange(kind: 'write' | 'remove' | 'replace', path: string, file: SimFile): void
  /** `path` was given to a file. */
  afterNaming(path: string, file: SimFile): void
  /** `call` on `path` ended with an error that the file system made up. */
  failed(call: string, path: string): void
}

export interface SimFileSystemParts {
  readonly process: SimProcess
  readonly disk: SimDisk
  readonly faults: Faults
  readonly rules: DiskRules
  readonly trace: Trace
  /** Folder that holds everything. */
  readonly root: string
  /** False: hard links are not supported. */
  readonly hasLinks: boolean
}
