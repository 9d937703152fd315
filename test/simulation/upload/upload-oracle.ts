import type { TransferRecord, UploadRecord } from '../../../electron/engine/core/records.ts'
import type { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import type { SimFile } from '../machine/sim-disk.ts'
import type { DiskRules } from '../sim-parts.ts'
import type { SimSources } from './sim-sources.ts'
import type { Timeline } from '../timeline.ts'
import type { SimUploadService, StoredVersion } from './upload-service.ts'

interface OracleParts {
  readonly timeline: Timeline
  readonly service: SimUploadService
  readonly sources: SimSources
  /** What is on disk. */
  readonly database: () => MemoryCheckpoints
}

/** Holds uploads to their invariants: notes what must never happen, at the moment it does. */
export class UploadOracle implements DiskRules {
  readonly violations: string[] = []
  /** Uploads that a record has named: what a kill or a failed commit left before that, nobody can know of. */
  readonly #told = new Set<string>()
  /** Uploads that the service said are gone, or whose abort was lost with a process that could not write it down. */
  readonly #excused = new Set<string>()
  /** Uploads that were given up while their outcome was unknown: nobody may abort them. */
  readonly #givenUp = new Set<string>()
  readonly #unrecorded = new Set<string>()
  readonly #replacing = new Set<string>()
  readonly #unwanted = new Set<string>()
  /** When what was completed was last to begin anew, milliseconds of virtual time. */
  readonly #startedOverAtMs = new Map<string, number>()
  readonly #parts: OracleParts
  #isHealed = false

  constructor(parts: OracleParts) {
    this.#parts = parts
  }

  violated(text: string): void {
    this.violations.push(`${text} (at ${this.#parts.timeline.nowMs.toFixed(3)} ms)`)
  }

  beforeChange(kind: string, path: string, _file: SimFile): void {
    this.violated(`${kind} of ${path}, which is only to be read`)
  }

  afterNaming(path: string): void {
    this.violated(`${path} was made where files are only read`)
  }

  failed(): void {
    // Reading leaves nothing behind.
  }

  /** Nothing fails from now on: whoever looks at a file sees what it is. */
  healed(): void {
    this.#isHealed = true
  }

  saidGone(uploadId: string): void {
    this.#excused.add(uploadId)
  }

  /** An abort that could not be written down is tried as long as the process lives. */
  unrecorded(uploadId: string): void {
    this.#unrecorded.add(uploadId)
  }

  processEnded(): void {
    for (const uploadId of this.#unrecorded) this.#excused.add(uploadId)
  }

  /** A part that is durable here and there is not sent again. */
  async partBegun(uploadId: string, partNumber: number): Promise<void> {
    const database = this.#parts.database()
    const record = [...database.records.values()].find((each) => isUpload(each) && each.uploadId === uploadId)
    const stored = this.#parts.service.uploads.get(uploadId)?.parts.get(partNumber)
    if (record === undefined || stored === undefined) return
    const known = (await database.parts(record.id)).find((part) => part.partNumber === partNumber)
    if (known?.etag === stored.etag)
      this.violated(`Part ${partNumber} of ${uploadId} is sent again, though it is there`)
  }

  /** The service is about to abort this one because the program asked for it. */
  aborting(uploadId: string): void {
    const { service, database } = this.#parts
    const upload = service.uploads.get(uploadId)
    if (upload === undefined) return
    if (upload.pending > 0) this.violated(`${uploadId} is aborted while it is being completed`)
    for (const record of database().records.values()) {
      if (isUpload(record) && record.uploadId === uploadId && record.intent !== null) this.#givenUp.add(uploadId)
    }
    if (this.#givenUp.has(uploadId)) this.violated(`${uploadId} is aborted while its outcome is unknown`)
  }

  /**
   * Whether what is about to be sent to a key, as parts of an upload or whole, is to leave alone what others have
   * there.
   */
  isToStay(key: string, uploadId: string | null): boolean {
    const uploads = [...this.#parts.database().records.values()].filter(isUpload)
    const senders = uploads.filter((record) =>
      uploadId === null ? record.key === key && record.intent !== null : record.uploadId === uploadId,
    )
    return (
      senders.length > 0 && senders.every(({ id, onConflict }) => onConflict === 'fail' && !this.#replacing.has(id))
    )
  }

  /** A person said that this upload may replace what has its key. */
  mayReplace(id: string): void {
    this.#replacing.add(id)
  }

  /** A person cancels these, takes them off the list, or has nothing kept of what was sent. */
  unwanted(ids: readonly string[]): void {
    for (const id of ids) this.#unwanted.add(id)
  }

  /** A person has a completed upload begin anew, from its file as it is by then. */
  startedOver(id: string): void {
    this.#startedOverAtMs.set(id, this.#parts.timeline.nowMs)
  }

  /** A record has durably become what it is now. */
  updated(before: TransferRecord, record: TransferRecord): void {
    if (!isUpload(record) || !isUpload(before)) return
    if (record.uploadId !== null) this.#told.add(record.uploadId)
    const leaves = before.uploadId !== null && record.uploadId !== before.uploadId
    if (before.uploadId !== null && before.intent !== null && leaves) this.#givenUp.add(before.uploadId)
    if (record.status === 'canceled' && !this.#unwanted.has(record.id))
      this.violated(`${record.key} (${record.id.slice(0, 4)}) is said to be canceled, and nobody did`)
    if (record.status === 'completed' && before.status !== 'completed')
      this.#completed(record, before.givenUp === 'cancel')
  }

  /** Records leave the list. What is completed has no upload open any more, whoever made its object. */
  removed(records: readonly TransferRecord[]): void {
    for (const record of records) {
      if (!isUpload(record) || record.uploadId === null || record.intent === null) continue
      if (record.status !== 'completed') this.#givenUp.add(record.uploadId)
    }
  }

  /** Uploads that the program began, still knows how to abort, and left there. */
  leftBehind(): readonly string[] {
    const open = [...this.#parts.service.uploads.keys()]
    return open.filter(
      (uploadId) => this.#told.has(uploadId) && !this.#excused.has(uploadId) && !this.#givenUp.has(uploadId),
    )
  }

  /** Keys with objects of the program's that no file ever was: put together of several, or cut. */
  mixed(): readonly string[] {
    const { service, sources } = this.#parts
    const isMixed = ({ bytes, isTheirs }: StoredVersion): boolean => !isTheirs && !sources.everWas(bytes)
    return [...service.versions].filter(([, versions]) => versions.some(isMixed)).map(([key]) => key)
  }

  #completed({ key, sourcePath, source, verification, createdAtMs, id }: UploadRecord, isTooLate: boolean): void {
    const { service, sources } = this.#parts
    const claimed = source === null ? null : sources.versionOf(sourcePath, source)
    if (claimed === null) return this.violated(`${key} is completed from no version of ${sourcePath}`)
    const versions = service.versions.get(key) ?? []
    // Where neither ETags nor metadata tell, another object of the same size passes for ours: the row says so
    // (`evidence`).
    const isLikeness = verification === 'evidence' && !service.multipartEtagIsMd5 && !service.keepsMetadata
    const made = versions.some(({ bytes }) => (isLikeness ? bytes.length === claimed.length : bytes.equals(claimed)))
    const text = `${key} (${id.slice(0, 4)}, asked for at ${createdAtMs}) is said to be completed, by ${verification}`
    if (!made) this.violated(`${text}, and it never was what ${sourcePath} was`)
    // What it was too late to cancel is completed whatever became of its file.
    const now = this.#isHealed && !isTooLate ? sources.settled(sourcePath) : null
    // Nor does that matter to an object that was made of the file as it was then, and is seen only now: the first
    // answer, or the record of it, was lost.
    const leftAtMs = sources.leftAtMs(sourcePath, claimed)
    if (leftAtMs < (this.#startedOverAtMs.get(id) ?? 0))
      this.violated(`${text}, from what ${sourcePath} was before it was started over`)
    const isOfThen = versions.some(({ bytes, atMs }) => atMs < leftAtMs && bytes.equals(claimed))
    if (now !== null && !now.equals(claimed) && !isOfThen)
      this.violated(`${text}, and ${sourcePath} had long been another`)
  }
}

function isUpload(record: TransferRecord): record is UploadRecord {
  return record.direction === 'upload'
}
