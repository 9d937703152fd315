import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { FolderRecord, UploadFolderRecord } from '../../core/records.ts'
import type { FileStates } from '../../transfer/file-states.ts'
import { FolderPlan, readPlan } from '../../transfer/folder-plan.ts'

/** The most plans in memory. The one that was not looked into for longest is dropped, and read again when needed. */
const MAX_PLANS = 8

interface KeptPlan {
  readonly plan: FolderPlan
  readonly states: FileStates
  readonly read: Promise<void>
}

/** The plans of folder transfers that are looked into, each read once. */
export class PlanKeeper {
  readonly #checkpoints: CheckpointStore
  readonly #kept = new Map<TransferId, KeptPlan>()

  constructor(checkpoints: CheckpointStore) {
    this.#checkpoints = checkpoints
  }

  /** The plan of a transfer that is looked into; null for others. */
  known(id: TransferId): FolderPlan | null {
    return this.#kept.get(id)?.plan ?? null
  }

  async of(record: FolderRecord | UploadFolderRecord, states: FileStates): Promise<FolderPlan> {
    const known = this.#kept.get(record.id)
    // A transfer that has started over has new states.
    const kept = known?.states === states ? known : this.#begin(record, states)
    this.#kept.delete(record.id)
    this.#kept.set(record.id, kept)
    for (const id of [...this.#kept.keys()].slice(0, -MAX_PLANS)) this.#kept.delete(id)
    await kept.read
    return kept.plan
  }

  forget(id: TransferId): void {
    this.#kept.delete(id)
  }

  #begin(record: FolderRecord | UploadFolderRecord, states: FileStates): KeptPlan {
    const plan = new FolderPlan(record.key, states)
    const read = readPlan(plan, record, this.#checkpoints)
    read.catch(() => this.forget(record.id))
    return { plan, states, read }
  }
}
