import type { FolderFile, FolderFiles } from '../../../shared/transfer/folder-file.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { TransferItems, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { FolderRecord, PlanPage, UploadFolderRecord } from '../core/records.ts'
import type { FileStates } from './file-states.ts'

/** Room for a page in one message, bytes of JSON. */
const PAGE_BYTES = 60 * 1024

/** What the states of files depend on beside what is known of each. */
export interface FolderFacts {
  readonly status: TransferStatus
  readonly items: TransferItems
  /** Why files failed, by key. */
  readonly failures: ReadonlyMap<string, TransferErrorInfo>
  /** Keys of files that are tried again once the run is over. */
  readonly asked: ReadonlySet<string>
}

/**
 * The files of a folder transfer by number, as its plan names them. Kept while they are looked at: made by `readPlan`,
 * kept up to date by `add` and `restart`.
 */
export class FolderPlan {
  readonly #prefix: string
  readonly #states: FileStates
  readonly #paths: string[] = []
  readonly #sizes: number[] = []
  /** How many the latest walk or listing has named, once there was another. */
  #namedAnew: number | null = null

  constructor(prefix: string, states: FileStates) {
    this.#prefix = prefix
    this.#states = states
  }

  add({ first, files }: PlanPage): void {
    for (const [index, { name, sizeBytes }] of files.entries()) {
      this.#paths[first + index] = name
      this.#sizes[first + index] = sizeBytes
    }
    if (this.#namedAnew !== null) this.#namedAnew = first + files.length
  }

  /** They are named anew, from the first. Until then they are shown as they were. */
  restart(): void {
    this.#namedAnew = 0
  }

  /** Marks what earlier runs finished. */
  markDone(numbers: Iterable<number>): void {
    for (const number of numbers) if (this.#states.get(number) === 'waiting') this.#states.set(number, 'done')
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  page(first: number, count: number, facts: FolderFacts): FolderFiles {
    if (this.#namedAnew !== null && this.#namedAnew > 0 && facts.items.isCounted) {
      this.#paths.length = this.#sizes.length = this.#namedAnew
      this.#namedAnew = null
    }
    const total = this.#paths.length
    const files: FolderFile[] = []
    let leftBytes = PAGE_BYTES
    for (let number = first; number < Math.min(total, first + count); number += 1) {
      const file = this.#fileAt(number, facts)
      leftBytes -= Buffer.byteLength(JSON.stringify(file)) + 1
      if (leftBytes < 0 && files.length > 0) break
      files.push(file)
    }
    return { total, first, files }
  }

  #fileAt(number: number, { status, items, failures, asked }: FolderFacts): FolderFile {
    const path = this.#paths[number] ?? ''
    const sizeBytes = this.#sizes[number] ?? 0
    const key = this.#prefix + path
    const error = failures.get(key) ?? null
    const known = error === null ? this.#states.get(number) : 'failed'
    if (status === 'completed') return { path, sizeBytes, state: 'done', error: null }
    if (asked.has(key) && known === 'failed') return { path, sizeBytes, state: 'waiting', error: null }
    // After a restart only what was recorded is known. Where each failure has a name, the rest is there.
    const isRestDone = status === 'failed' && failures.size > 0 && failures.size === items.failed
    return { path, sizeBytes, state: known === 'waiting' && isRestDone ? 'done' : known, error }
  }
}

/** Reads what is known of the files of a folder transfer. What is added meanwhile is to be told to `plan`, too. */
export async function readPlan(
  plan: FolderPlan,
  record: FolderRecord | UploadFolderRecord,
  checkpoints: CheckpointStore,
): Promise<void> {
  for await (const page of checkpoints.plan(record.id)) plan.add(page)
  if (record.direction === 'upload-folder') {
    for await (const files of checkpoints.sent(record.id)) plan.markDone(files.map(({ number }) => number))
    return
  }
  const done = new Set<string>()
  // Of folders that were finished before listings were kept, what is here is known.
  const isUnlisted = plan.paths.length === 0
  for await (const items of checkpoints.items(record.id)) {
    const files = items.map(({ key, sizeBytes }) => ({ name: key.slice(record.key.length), sizeBytes, modifiedMs: 0 }))
    for (const { name } of files) done.add(name)
    if (isUnlisted) plan.add({ first: plan.paths.length, files })
  }
  if (done.size > 0) plan.markDone(numbersOf(plan.paths, done))
}

function* numbersOf(paths: readonly string[], wanted: ReadonlySet<string>): Generator<number> {
  for (const [number, path] of paths.entries()) if (wanted.has(path)) yield number
}
