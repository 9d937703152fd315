import { MAX_PARTS_MAP_CELLS } from '../../../shared/limits.ts'
import type { UnitState } from '../../../shared/transfer/transfer.ts'

/** States by how much they tell, most first: what needs attention, what moves, what is missing, what is there. */
const BY_WEIGHT: readonly UnitState[] = ['failed', 'retrying', 'active', 'waiting', 'begun', 'done', 'found']
const WEIGHT = new Map(BY_WEIGHT.map((state, weight) => [state, weight]))

/** States of a transfer's parts or segments. */
export interface PartsMap {
  readonly unitCount: number
  /** Length of one unit in bytes; the last may be shorter. */
  readonly unitSizeBytes: number
  /** Units that are there. */
  readonly doneCount: number
  /** A unit that is `begun` still shows what is being done with it, but `begun` in place of `waiting`. */
  set(index: number, state: UnitState): void
  /** Ends all movement: units that were active or retried are missing again. */
  settle(): void
  /** At most 2,000 cells; each stands for `unitsPerCell` units and shows the most telling of their states. */
  cells(): { readonly unitsPerCell: number; readonly cells: readonly UnitState[] }
}

/** More than the largest object has (10,000 parts of 5 GiB, in segments of 8 MiB), as a server may claim any size. */
const MAX_UNITS = 8_000_000

/** @param claimedCount as a server tells it; at most 8,000,000 units are shown. */
export function createPartsMap(claimedCount: number, unitSizeBytes: number): PartsMap {
  const unitCount = Math.min(claimedCount, MAX_UNITS)
  const units = new Uint8Array(unitCount).fill(weightOf('waiting'))
  /** Units with only some of their bytes. They are few: those on their way, and those before gaps. */
  const begun = new Set<number>()
  const atRest = (index: number): number => weightOf(begun.has(index) ? 'begun' : 'waiting')
  let doneCount = 0
  return {
    unitCount,
    unitSizeBytes,
    get doneCount() {
      return doneCount
    },
    set(index, state) {
      const before = units[index]
      if (before === undefined) return
      const isHere = isThere(weightOf(state))
      doneCount += Number(isHere) - Number(isThere(before))
      if (state === 'begun') begun.add(index)
      else if (isHere) begun.delete(index)
      if (state === 'begun' && isMoving(before)) return
      units[index] = state === 'waiting' ? atRest(index) : weightOf(state)
    },
    settle() {
      units.forEach((weight, index) => {
        if (isMoving(weight)) units[index] = atRest(index)
      })
    },
    cells() {
      const unitsPerCell = Math.max(1, Math.ceil(unitCount / MAX_PARTS_MAP_CELLS))
      const cells: UnitState[] = []
      for (let start = 0; start < unitCount; start += unitsPerCell) {
        cells.push(stateOf(Math.min(...units.subarray(start, start + unitsPerCell))))
      }
      return { unitsPerCell, cells }
    },
  }
}

function weightOf(state: UnitState): number {
  return WEIGHT.get(state) ?? 0
}

function stateOf(weight: number): UnitState {
  return BY_WEIGHT[weight] ?? 'waiting'
}

function isMoving(weight: number): boolean {
  return weight === weightOf('active') || weight === weightOf('retrying')
}

function isThere(weight: number): boolean {
  return weight >= weightOf('done')
}
