import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { TransferChanges } from '../core/records.ts'

/** The same store, which also tells of every change to a record that has become durable. */
export function followUpdates(
  store: CheckpointStore,
  follow: (id: TransferId, changes: TransferChanges) => void,
): CheckpointStore {
  return {
    load: () => store.load(),
    insert: (records) => store.insert(records),
    async update(id, changes) {
      await store.update(id, changes)
      follow(id, changes)
    },
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
    addToPlan: (id, page) => store.addToPlan(id, page),
    sent: (id) => store.sent(id),
    addSent: (id, files) => store.addSent(id, files),
    removePlan: (id) => store.removePlan(id),
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
