import type { ItemFailure, TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { PlanPage, TransferChanges } from '../../core/records.ts'

/** Makes changes to records durable, and hears what else has become durable. */
export interface CheckpointFollower {
  update(id: TransferId, changes: TransferChanges): Promise<void>
  planned(id: TransferId, page: PlanPage): void
  failed(id: TransferId, failures: readonly ItemFailure[]): void
  failedRemoved(id: TransferId): void
  planRemoved(id: TransferId): void
}

/** Wraps a store: changes to records go through `follow`, which also hears of plans and failures made durable. */
export function followUpdates(store: CheckpointStore, follow: CheckpointFollower): CheckpointStore {
  return {
    load: () => store.load(),
    top: (count) => store.top(count),
    insert: (records) => store.insert(records),
    update: (id, changes) => follow.update(id, changes),
    remove: (ids) => store.remove(ids),
    parts: (id) => store.parts(id),
    putParts: (id, parts) => store.putParts(id, parts),
    removeParts: (id, partNumbers) => store.removeParts(id, partNumbers),
    ranges: (id) => store.ranges(id),
    putRanges: (id, ranges) => store.putRanges(id, ranges),
    removeRanges: (id, starts) => store.removeRanges(id, starts),
    items: (id) => store.items(id),
    addItems: (id, items) => store.addItems(id, items),
    removeItems: (id) => store.removeItems(id),
    downloadsOf: (folderId) => store.downloadsOf(folderId),
    plan: (id) => store.plan(id),
    async addToPlan(id, page) {
      await store.addToPlan(id, page)
      follow.planned(id, page)
    },
    sent: (id) => store.sent(id),
    addSent: (id, files) => store.addSent(id, files),
    failed: (id) => store.failed(id),
    async addFailed(id, failures) {
      await store.addFailed(id, failures)
      follow.failed(id, failures)
    },
    async removeFailed(id) {
      await store.removeFailed(id)
      follow.failedRemoved(id)
    },
    async removePlan(id) {
      await store.removePlan(id)
      follow.planRemoved(id)
    },
    uploadsOf: (folderId) => store.uploadsOf(folderId),
    histories: (ids) => store.histories(ids),
    putHistories: (histories) => store.putHistories(histories),
    abortsDue: () => store.abortsDue(),
    addAbort: (abort) => store.addAbort(abort),
    abortDone: (uploadId) => store.abortDone(uploadId),
    getValue: (name) => store.getValue(name),
    setValue: (name, json) => store.setValue(name, json),
    get afterUncleanStop() {
      return store.afterUncleanStop
    },
    close: () => store.close(),
  }
}
