import type { TransferId } from '../../shared/transfer.ts'
import type { TransferRecord } from './checkpoint/checkpoint.ts'

/** A transfer as the scheduler sees it. */
export interface Schedulable {
  readonly id: TransferId
  /** Two transfers with the same one never run at once. */
  readonly exclusiveKey: string
}

/**
 * Which queued transfers start now, in queue order. One whose key or target is busy is passed over, not blocking those
 * behind it. Looks no further into `queued` than it must. Pure.
 */
export function chooseStarts(
  queued: Iterable<Schedulable>,
  busyKeys: { has(key: string): boolean },
  freeSlots: number,
): readonly TransferId[] {
  const starts: TransferId[] = []
  const taken = new Set<string>()
  if (freeSlots <= 0) return starts
  for (const { id, exclusiveKey } of queued) {
    if (busyKeys.has(exclusiveKey) || taken.has(exclusiveKey)) continue
    taken.add(exclusiveKey)
    starts.push(id)
    if (starts.length === freeSlots) break
  }
  return starts
}

/**
 * What a transfer writes to: an object's key or a file. Paths are compared without case and composition, because many
 * file systems do so; two that differ only there run one after the other.
 */
export function exclusiveKeyOf(record: TransferRecord): string {
  if (record.direction === 'download' || record.direction === 'folder')
    return `file ${record.targetPath.normalize('NFC').toLowerCase()}`
  const { location } = record
  const place = location.kind === 'place' ? `${location.placeId} ${location.bucket}` : location.url
  if (record.direction === 'upload-folder') return `objects ${place} ${record.key} ${record.sourcePaths.join('\n')}`
  return `object ${place} ${record.key}`
}

/** The queued transfers, first in line first. */
export interface WaitingLine<T extends Schedulable & { readonly position: number }> extends Iterable<T> {
  add(item: T): void
  delete(id: TransferId): void
  readonly size: number
}

/** Sorts only when something was added out of order, for example a paused transfer that is resumed. */
export function createWaitingLine<T extends Schedulable & { readonly position: number }>(): WaitingLine<T> {
  let items = new Map<TransferId, T>()
  let lastPosition = -Infinity
  let isSorted = true
  return {
    add(item) {
      if (item.position < lastPosition) isSorted = false
      lastPosition = Math.max(lastPosition, item.position)
      items.set(item.id, item)
    },
    delete(id) {
      items.delete(id)
      if (items.size === 0) lastPosition = -Infinity
    },
    get size() {
      return items.size
    },
    [Symbol.iterator]() {
      if (!isSorted) items = new Map([...items].sort(([, a], [, b]) => a.position - b.position))
      isSorted = true
      return items.values()
    },
  }
}
