import type { CheckpointStore } from '../../../electron/engine/core/checkpoint-store.ts'
import type {
  DownloadRecord,
  DueAbort,
  FolderItem,
  KeptHistory,
  PartRecord,
  PlanPage,
  RangeRecord,
  SentFile,
  TransferChanges,
  TransferRecord,
  UploadRecord,
} from '../../../electron/engine/core/records.ts'
import type { ItemFailure } from '../../../shared/transfer/transfer.ts'

/** A CheckpointStore in memory. `onWrite` is called before each write and may throw to make it fail. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly records = new Map<string, TransferRecord>()
  readonly values = new Map<string, string>()
  readonly aborts = new Map<string, DueAbort>()
  onWrite: (method: string) => void = () => undefined
  afterUncleanStop = false

  readonly #parts = new Map<string, Map<number, PartRecord>>()
  readonly #ranges = new Map<string, Map<number, RangeRecord>>()
  readonly #items = new Map<string, readonly (readonly FolderItem[])[]>()
  readonly #plans = new Map<string, readonly PlanPage[]>()
  readonly #histories = new Map<string, KeptHistory>()
  readonly #sent = new Map<string, readonly (readonly SentFile[])[]>()
  readonly #failed = new Map<string, readonly (readonly ItemFailure[])[]>()

  /** What another process would find after this one was killed. */
  afterKill(): MemoryCheckpoints {
    const next = new MemoryCheckpoints()
    next.afterUncleanStop = true
    for (const [id, record] of this.records) next.records.set(id, record)
    for (const [name, value] of this.values) next.values.set(name, value)
    for (const [id, abort] of this.aborts) next.aborts.set(id, abort)
    for (const [id, rows] of this.#parts) next.#parts.set(id, new Map(rows))
    for (const [id, rows] of this.#ranges) next.#ranges.set(id, new Map(rows))
    for (const [id, items] of this.#items) next.#items.set(id, items)
    for (const [id, pages] of this.#plans) next.#plans.set(id, pages)
    for (const [id, files] of this.#sent) next.#sent.set(id, files)
    for (const [id, failures] of this.#failed) next.#failed.set(id, failures)
    for (const [id, history] of this.#histories) next.#histories.set(id, history)
    return next
  }

  load(): Promise<{ readonly records: readonly TransferRecord[]; readonly setAside: number }> {
    const records = [...this.records.values()].sort((a, b) => a.position - b.position)
    return Promise.resolve({ records, setAside: 0 })
  }

  /** All of it is in memory: there is nothing to wait for. */
  top(): Promise<null> {
    return Promise.resolve(null)
  }

  insert(records: readonly TransferRecord[]): Promise<void> {
    return this.#write('insert', () => {
      for (const record of records) this.records.set(record.id, record)
    })
  }

  update(id: string, changes: TransferChanges): Promise<void> {
    return this.#write('update', () => {
      const record = this.records.get(id)
      if (record !== undefined) this.records.set(id, { ...record, ...changes } as TransferRecord)
    })
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#write('remove', () => {
      for (const id of ids) {
        this.records.delete(id)
        this.#parts.delete(id)
        this.#ranges.delete(id)
        this.#items.delete(id)
        this.#plans.delete(id)
        this.#sent.delete(id)
        this.#failed.delete(id)
        this.#histories.delete(id)
      }
    })
  }

  parts(id: string): Promise<readonly PartRecord[]> {
    return Promise.resolve(sorted(this.#parts.get(id), (part) => part.partNumber))
  }

  putParts(id: string, parts: readonly PartRecord[]): Promise<void> {
    return this.#write('putParts', () => {
      for (const part of parts) table(this.#parts, id).set(part.partNumber, part)
    })
  }

  removeParts(id: string, partNumbers: readonly number[] | 'all'): Promise<void> {
    return this.#write('removeParts', () => {
      removeKeys(this.#parts.get(id), partNumbers)
    })
  }

  ranges(id: string): Promise<readonly RangeRecord[]> {
    return Promise.resolve(sorted(this.#ranges.get(id), (range) => range.start))
  }

  putRanges(id: string, ranges: readonly RangeRecord[]): Promise<void> {
    return this.#write('putRanges', () => {
      for (const range of ranges) table(this.#ranges, id).set(range.start, range)
    })
  }

  removeRanges(id: string, starts: readonly number[] | 'all'): Promise<void> {
    return this.#write('removeRanges', () => {
      removeKeys(this.#ranges.get(id), starts)
    })
  }

  async *items(id: string): AsyncGenerator<readonly FolderItem[], void> {
    for (const items of this.#items.get(id) ?? []) yield Promise.resolve(items)
  }

  addItems(id: string, items: readonly FolderItem[]): Promise<void> {
    return this.#write('addItems', () => {
      this.#items.set(id, [...(this.#items.get(id) ?? []), items])
    })
  }

  removeItems(id: string): Promise<void> {
    return this.#write('removeItems', () => {
      this.#items.delete(id)
    })
  }

  downloadsOf(folderId: string): Promise<readonly DownloadRecord[]> {
    const records = [...this.records.values()]
    return Promise.resolve(
      records.filter((each): each is DownloadRecord => each.direction === 'download' && each.folderId === folderId),
    )
  }

  async *plan(id: string): AsyncGenerator<PlanPage, void> {
    for (const page of this.#plans.get(id) ?? []) yield Promise.resolve(page)
  }

  addToPlan(id: string, page: PlanPage): Promise<void> {
    return this.#write('addToPlan', () => {
      this.#plans.set(id, [...(this.#plans.get(id) ?? []), page])
    })
  }

  async *sent(id: string): AsyncGenerator<readonly SentFile[], void> {
    for (const files of this.#sent.get(id) ?? []) yield Promise.resolve(files)
  }

  addSent(id: string, files: readonly SentFile[]): Promise<void> {
    return this.#write('addSent', () => {
      this.#sent.set(id, [...(this.#sent.get(id) ?? []), files])
    })
  }

  async *failed(id: string): AsyncGenerator<readonly ItemFailure[], void> {
    for (const failures of this.#failed.get(id) ?? []) yield Promise.resolve(failures)
  }

  addFailed(id: string, failures: readonly ItemFailure[]): Promise<void> {
    return this.#write('addFailed', () => {
      this.#failed.set(id, [...(this.#failed.get(id) ?? []), failures])
    })
  }

  removeFailed(id: string): Promise<void> {
    return this.#write('removeFailed', () => {
      this.#failed.delete(id)
    })
  }

  removePlan(id: string): Promise<void> {
    return this.#write('removePlan', () => {
      this.#failed.delete(id)
      this.#plans.delete(id)
      this.#sent.delete(id)
    })
  }

  uploadsOf(folderId: string): Promise<readonly UploadRecord[]> {
    const records = [...this.records.values()]
    return Promise.resolve(
      records.filter((each): each is UploadRecord => each.direction === 'upload' && each.folderId === folderId),
    )
  }

  histories(ids: readonly string[]): Promise<ReadonlyMap<string, KeptHistory>> {
    const found = new Map<string, KeptHistory>()
    for (const id of ids) {
      const history = this.#histories.get(id)
      if (history !== undefined) found.set(id, history)
    }
    return Promise.resolve(found)
  }

  putHistories(histories: readonly { readonly id: string; readonly history: KeptHistory }[]): Promise<void> {
    return this.#write('putHistories', () => {
      for (const { id, history } of histories) if (this.records.has(id)) this.#histories.set(id, history)
    })
  }

  abortsDue(): Promise<readonly DueAbort[]> {
    return Promise.resolve([...this.aborts.values()])
  }

  addAbort(abort: DueAbort): Promise<void> {
    return this.#write('addAbort', () => {
      this.aborts.set(abort.uploadId, abort)
    })
  }

  abortDone(uploadId: string): Promise<void> {
    return this.#write('abortDone', () => {
      this.aborts.delete(uploadId)
    })
  }

  getValue(name: string): Promise<string | null> {
    return Promise.resolve(this.values.get(name) ?? null)
  }

  setValue(name: string, json: string): Promise<void> {
    return this.#write('setValue', () => {
      this.values.set(name, json)
    })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #write(method: string, change: () => void): Promise<void> {
    await Promise.resolve()
    this.onWrite(method)
    change()
  }
}

function table<Row>(tables: Map<string, Map<number, Row>>, id: string): Map<number, Row> {
  const rows = tables.get(id) ?? new Map<number, Row>()
  tables.set(id, rows)
  return rows
}

function sorted<Row>(rows: Map<number, Row> | undefined, key: (row: Row) => number): readonly Row[] {
  return [...(rows?.values() ?? [])].sort((a, b) => key(a) - key(b))
}

function removeKeys(rows: Map<number, unknown> | undefined, keys: readonly number[] | 'all'): void {
  if (keys === 'all') rows?.clear()
  else for (const key of keys) rows?.delete(key)
}
