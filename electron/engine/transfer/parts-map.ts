import { MAX_PARTS_MAP_CELLS } from '../../../shared/limits.ts'
import type { UnitState } from '../../../shared/transfer/transfer.ts'

/** The most telling state of several units comes first: what needs eyes, what moves, what is missing, what is there. */
const BY_WEIGHT: readonly UnitState[] = ['failed', 'retrying', 'active', 'waiting', 'done', 'found']
const WEIGHT = new Map(BY_WEIGHT.map((state, weight) => [state, weight]))

/** States of a transfer's parts or segments. */
export interface PartsMap {
  readonly unitCount: number
  /** Length of one unit in bytes; the last may be shorter. */
  readonly unitSizeBytes: number
  /** Units that are there. */
  readonly doneCount: number
  set(index: number, state: UnitState): void
  /** Nothing moves any more: what was on its way, or tried again, is missing. */
  settle(): void
  /** At most 2,000 cells; each stands for `unitsPerCell` units and shows the most telling of their states. */
  cells(): { readonly unitsPerCell: number; readonly cells: readonly UnitState[] }
}

/** More than the largest object has: 10,000 parts of 5 GiB in segments of 8 MiB. A server may claim any size. */
const MAX_UNITS = 8_000_000

export function createPartsMap(claimedCount: number, unitSizeBytes: number): PartsMap {
  const unitCount = Math.min(claimedCount, MAX_UNITS)
  const units = new Uint8Array(unitCount).fill(weightOf('waiting'))
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
      doneCount += Number(isThere(weightOf(state))) - Number(isThere(before))
      units[index] = weightOf(state)
    },
    settle() {
      const waiting = weightOf('waiting')
      units.forEach((weight, index) => {
        if (weight === weightOf('active') || weight === weightOf('retrying')) units[index] = waiting
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

function isThere(weight: number): boolean {
  return weight >= weightOf('done')
}
