import type { CheckpointStore } from '../../../electron/engine/core/checkpoint-store.ts'
import type {
  DueAbort,
  FolderItem,
  KeptHistory,
  PartRecord,
  PlanPage,
  RangeRecord,
  SentFile,
  TransferChanges,
  TransferRecord,
} from '../../../electron/engine/core/records.ts'
import type { ItemFailure } from '../../../shared/transfer/transfer.ts'
import type { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import type { Faults } from '../faults.ts'
import type { SimProcess } from './sim-process.ts'
import type { Trace } from '../timeline.ts'

export interface SimCheckpointsParts {
  readonly process: SimProcess
  /** What is on disk. */
  readonly database: MemoryCheckpoints
  readonly faults: Faults
  readonly trace: Trace
  /** Called when a change has become durable. */
  readonly onUpdate: (id: string, changes: TransferChanges) => void
}

/**
 * A database whose commits take time, come one after another and are durable once they are answered. What is asked for
 * while one is under way shares the next. A commit that a kill meets has happened or not; one that failed has not.
 */
export class SimCheckpoints implements CheckpointStore {
  readonly #parts: SimCheckpointsParts
  #line: Promise<unknown> = Promise.resolve()
  /** What the next commit writes, as long as nothing else was asked for since. */
  #group: (() => Promise<void>)[] | null = null

  constructor(parts: SimCheckpointsParts) {
    this.#parts = parts
  }

  get afterUncleanStop(): boolean {
    return this.#parts.database.afterUncleanStop
  }

  load() {
    return this.#read(() => this.#parts.database.load())
  }

  top(): Promise<null> {
    return this.#parts.database.top()
  }

  insert(records: readonly TransferRecord[]): Promise<void> {
    return this.#write('insert', () => this.#parts.database.insert(records))
  }

  update(id: string, changes: TransferChanges): Promise<void> {
    // The detail of an error is a stack, which is another one in every build.
    const shown = JSON.stringify(changes, (name, value: unknown) => (name === 'detail' ? undefined : value))
    const text = `update ${id.slice(0, 4)} ${shown}`
    return this.#write(text, async () => {
      await this.#parts.database.update(id, changes)
      this.#parts.onUpdate(id, changes)
    })
  }

  items(id: string) {
    return this.#parts.database.items(id)
  }

  addItems(id: string, items: readonly FolderItem[]): Promise<void> {
    return this.#write('addItems', () => this.#parts.database.addItems(id, items))
  }

  removeItems(id: string): Promise<void> {
    return this.#write('removeItems', () => this.#parts.database.removeItems(id))
  }

  downloadsOf(folderId: string) {
    return this.#read(() => this.#parts.database.downloadsOf(folderId))
  }

  plan(id: string) {
    return this.#parts.database.plan(id)
  }

  addToPlan(id: string, page: PlanPage): Promise<void> {
    return this.#write('addToPlan', () => this.#parts.database.addToPlan(id, page))
  }

  sent(id: string) {
    return this.#parts.database.sent(id)
  }

  addSent(id: string, files: readonly SentFile[]): Promise<void> {
    return this.#write('addSent', () => this.#parts.database.addSent(id, files))
  }

  failed(id: string) {
    return this.#parts.database.failed(id)
  }

  addFailed(id: string, failures: readonly ItemFailure[]): Promise<void> {
    return this.#write('addFailed', () => this.#parts.database.addFailed(id, failures))
  }

  removeFailed(id: string): Promise<void> {
    return this.#write('removeFailed', () => this.#parts.database.removeFailed(id))
  }

  removePlan(id: string): Promise<void> {
    return this.#write('removePlan', () => this.#parts.database.removePlan(id))
  }

  uploadsOf(folderId: string) {
    return this.#read(() => this.#parts.database.uploadsOf(folderId))
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#write('remove', () => this.#parts.database.remove(ids))
  }

  parts(id: string): Promise<readonly PartRecord[]> {
    return this.#read(() => this.#parts.database.parts(id))
  }

  putParts(id: string, parts: readonly PartRecord[]): Promise<void> {
    return this.#write('putParts', () => this.#parts.database.putParts(id, parts))
  }

  removeParts(id: string, partNumbers: readonly number[] | 'all'): Promise<void> {
    return this.#write('removeParts', () => this.#parts.database.removeParts(id, partNumbers))
  }

  ranges(id: string): Promise<readonly RangeRecord[]> {
    return this.#read(() => this.#parts.database.ranges(id))
  }

  putRanges(id: string, ranges: readonly RangeRecord[]): Promise<void> {
    const text = ranges.map(({ start, end }) => `${start}-${end}`).join()
    return this.#write(`putRanges ${id.slice(0, 4)} ${text}`, () => this.#parts.database.putRanges(id, ranges))
  }

  removeRanges(id: string, starts: readonly number[] | 'all'): Promise<void> {
    return this.#write(`removeRanges ${id.slice(0, 4)} ${String(starts)}`, () =>
      this.#parts.database.removeRanges(id, starts),
    )
  }

  histories(ids: readonly string[]) {
    return this.#read(() => this.#parts.database.histories(ids))
  }

  putHistories(histories: readonly { readonly id: string; readonly history: KeptHistory }[]): Promise<void> {
    return this.#write('putHistories', () => this.#parts.database.putHistories(histories))
  }

  abortsDue(): Promise<readonly DueAbort[]> {
    return this.#read(() => this.#parts.database.abortsDue())
  }

  addAbort(abort: DueAbort): Promise<void> {
    return this.#write('addAbort', () => this.#parts.database.addAbort(abort))
  }

  abortDone(uploadId: string): Promise<void> {
    return this.#write('abortDone', () => this.#parts.database.abortDone(uploadId))
  }

  getValue(name: string): Promise<string | null> {
    return this.#read(() => this.#parts.database.getValue(name))
  }

  setValue(name: string, json: string): Promise<void> {
    return this.#write('setValue', () => this.#parts.database.setValue(name, json))
  }

  close(): Promise<void> {
    return this.#write('close', () => this.#parts.database.close())
  }

  #read<Value>(read: () => Promise<Value>): Promise<Value> {
    this.#group = null
    return this.#inTurn(() => read)
  }

  #write(text: string, write: () => Promise<void>): Promise<void> {
    const commit = (): Promise<void> => {
      const { faults, trace } = this.#parts
      const code = text === 'close' ? null : faults.commitFault()
      trace.note(`db ${text}${code === null ? '' : ` FAILED ${code}`}`)
      if (code === null) return write()
      return Promise.reject(Object.assign(new Error('The commit failed'), { code }))
    }
    return new Promise((resolve, reject) => {
      const work = (): Promise<void> => commit().then(resolve, reject)
      if (this.#group !== null) return void this.#group.push(work)
      const group = (this.#group = [work])
      void this.#inTurn(() => {
        if (this.#group === group) this.#group = null
        // Begun in one go: a kill finds all of it done, or nothing.
        return () => Promise.all(group.map((each) => each()))
      })
    })
  }

  /** @param begin called when it is its turn, for what is then done. */
  #inTurn<Value>(begin: () => () => Promise<Value>): Promise<Value> {
    const { process, faults } = this.#parts
    const turn = this.#line.then(() => process.perform(faults.diskDelayMs(), begin()))
    this.#line = turn.catch(() => undefined)
    return turn
  }
}
