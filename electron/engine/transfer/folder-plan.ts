import { compareNames } from '../../../shared/name-order.ts'
import type { FileState, FolderFile, FolderFiles } from '../../../shared/transfer/folder-file.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { ItemFailure, TransferItems, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { FolderRecord, PlanPage, UploadFolderRecord } from '../core/records.ts'
import { sortedInTurns } from '../async/sorted-in-turns.ts'
import { FileStates } from './file-states.ts'

/** The most that a page may take in one message, bytes of JSON. */
const PAGE_BYTES = 60 * 1024

/** What the states of files depend on, beside what is known of each file. */
export interface FolderFacts {
  readonly status: TransferStatus
  readonly items: TransferItems
  /** Why the first files failed, by key: the durable list of all failures may lag behind. */
  readonly failures: ReadonlyMap<string, TransferErrorInfo>
  /** Keys of files that are tried again once the run is over. */
  readonly asked: ReadonlySet<string>
}

/**
 * The files of a folder transfer by number, as its plan names them, and why some failed. Kept while a person looks at
 * them: filled by `readPlan`, kept up to date by `add`, `restart`, `addFailed` and `forgetFailed`.
 */
export class FolderPlan {
  readonly #prefix: string
  readonly #states: FileStates
  readonly #paths: string[] = []
  readonly #sizes: number[] = []
  /** Why files failed, by key. */
  readonly #errors = new Map<string, TransferErrorInfo>()
  /** How many files the latest walk or listing has named while it may name more; null when it has named all. */
  #namedAnew: number | null = null
  /** The states that files had before that walk or listing, for those it has not named yet. */
  #statesBefore = new FileStates()
  #restarts = 0
  /** The numbers of files by name; fewer than there are files until `arrange` has been called. */
  #byName: readonly number[] = []
  /** Settles when `#byName` is in order; null: files were named since. */
  #arranged: Promise<void> | null = null

  constructor(prefix: string, states: FileStates) {
    this.#prefix = prefix
    this.#states = states
  }

  add({ first, files }: PlanPage): void {
    this.#arranged = null
    for (const [index, { name, sizeBytes }] of files.entries()) {
      this.#paths[first + index] = name
      this.#sizes[first + index] = sizeBytes
    }
    if (this.#namedAnew !== null) this.#namedAnew = first + files.length
  }

  /** Names the files anew, from the first; until named, each shows as before. Call it before clearing the states. */
  restart(): void {
    const before = new FileStates()
    for (const number of this.#paths.keys()) before.set(number, this.#stateOf(number))
    before.stop()
    this.#statesBefore = before
    this.#namedAnew = 0
    this.#restarts += 1
    this.#errors.clear()
  }

  /** How often `restart` was called. */
  get restarts(): number {
    return this.#restarts
  }

  addFailed(failures: readonly ItemFailure[]): void {
    for (const { key, error } of failures) this.#errors.set(key, error)
  }

  /** Forgets why files failed, because a run begins. */
  forgetFailed(): void {
    this.#errors.clear()
  }

  /** Whether the file with this path failed in the latest run. */
  hasFailed(path: string, { failures }: Pick<FolderFacts, 'failures'>): boolean {
    const key = this.#prefix + path
    if (failures.has(key) || this.#errors.has(key)) return true
    const number = this.#paths.indexOf(path)
    return number >= 0 && this.#stateOf(number) === 'failed'
  }

  /** Marks what earlier runs finished. */
  markDone(numbers: Iterable<number>): void {
    for (const number of numbers) if (this.#states.get(number) === 'waiting') this.#states.set(number, 'done')
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  /** Orders the files by name once all are named: until then they stay in place, and new ones follow. */
  async arrange({ items }: Pick<FolderFacts, 'items'>): Promise<void> {
    if (!items.isCounted) return
    if (this.#namedAnew !== null) {
      this.#paths.length = this.#sizes.length = this.#namedAnew
      this.#namedAnew = null
      this.#byName = []
      this.#arranged = null
    }
    this.#arranged ??= this.#sortByName()
    await this.#arranged
  }

  /**
   * The files from `first` on, in the order of `arrange`: at most `count`, and fewer if their names are long, because
   * the page must fit one message to the window.
   */
  page(first: number, count: number, facts: FolderFacts): FolderFiles {
    const total = this.#paths.length
    const files: FolderFile[] = []
    let leftBytes = PAGE_BYTES
    for (let place = first; place < Math.min(total, first + count); place += 1) {
      const file = this.#fileAt(this.#byName[place] ?? place, facts)
      leftBytes -= Buffer.byteLength(JSON.stringify(file)) + 1
      if (leftBytes < 0 && files.length > 0) break
      files.push(file)
    }
    return { total, first, files }
  }

  async #sortByName(): Promise<void> {
    const paths = [...this.#paths]
    const compare = (one: number, other: number) => compareNames(paths[one] ?? '', paths[other] ?? '')
    const byName = await sortedInTurns([...paths.keys()], compare)
    // If files were named meanwhile, the next call orders all.
    if (this.#arranged !== null) this.#byName = byName
  }

  #fileAt(number: number, { status, items, failures, asked }: FolderFacts): FolderFile {
    const path = this.#paths[number] ?? ''
    const sizeBytes = this.#sizes[number] ?? 0
    const key = this.#prefix + path
    const error = failures.get(key) ?? this.#errors.get(key) ?? null
    const known = error === null ? this.#stateOf(number) : 'failed'
    if (status === 'completed') return { path, sizeBytes, state: endedStateOf(known, items), error: null }
    if (asked.has(key) && known === 'failed') return { path, sizeBytes, state: 'waiting', error: null }
    // After a restart only what was recorded is known. If every failure has a name, all other files are done.
    const failed = Math.max(failures.size, this.#errors.size)
    const isRestDone = status === 'failed' && failed > 0 && failed === items.failed
    return { path, sizeBytes, state: known === 'waiting' && isRestDone ? 'done' : known, error }
  }

  #stateOf(number: number): FileState {
    const isNamed = this.#namedAnew === null || number < this.#namedAnew
    return (isNamed ? this.#states : this.#statesBefore).get(number)
  }
}

/** After a restart it is known which files were sent or fetched, but not which of the others were skipped. */
function endedStateOf(known: FileState, { alreadyThere = 0, skipped = 0 }: TransferItems): FileState {
  if (known === 'already-there' || known === 'skipped') return known
  if (known !== 'waiting' || alreadyThere + skipped === 0) return 'done'
  return alreadyThere > 0 ? 'already-there' : 'skipped'
}

/**
 * Reads what is known of the files of a folder transfer. What is added meanwhile must be told to `plan` as well. Stops
 * once the files are named anew, because then `plan` is told all there is to know.
 */
export async function readPlan(
  plan: FolderPlan,
  record: FolderRecord | UploadFolderRecord,
  checkpoints: CheckpointStore,
): Promise<void> {
  for await (const failures of checkpoints.failed(record.id)) plan.addFailed(failures)
  for await (const page of checkpoints.plan(record.id)) {
    if (plan.restarts > 0) return
    plan.add(page)
  }
  if (record.direction === 'upload-folder') {
    for await (const files of checkpoints.sent(record.id)) {
      if (plan.restarts > 0) return
      plan.markDone(files.map(({ number }) => number))
    }
    return
  }
  const done = new Set<string>()
  // Folders that were finished before listings were kept have no plan: only the files that are here are known.
  const isUnlisted = plan.paths.length === 0
  for await (const items of checkpoints.items(record.id)) {
    const files = items.map(({ key, sizeBytes }) => ({ name: key.slice(record.key.length), sizeBytes, modifiedMs: 0 }))
    for (const { name } of files) done.add(name)
    if (plan.restarts > 0) return
    if (isUnlisted) plan.add({ first: plan.paths.length, files })
  }
  if (done.size > 0 && plan.restarts === 0) plan.markDone(numbersOf(plan.paths, done))
}

function* numbersOf(paths: readonly string[], wanted: ReadonlySet<string>): Generator<number> {
  for (const [number, path] of paths.entries()) if (wanted.has(path)) yield number
}
