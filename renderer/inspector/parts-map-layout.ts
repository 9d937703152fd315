import type { UnitState } from '../../shared/transfer/transfer.ts'

/** Up to this many cells are drawn large. */
const LARGE_CELLS = 600

export interface MapLayout {
  readonly columns: number
  readonly rows: number
  /** Edge of a cell in pixels. */
  readonly cell: number
  /** Edge of a cell and the gap after it. */
  readonly pitch: number
  /** Height of the map in pixels. */
  readonly height: number
}

/** How a map of `count` cells lies in `width` pixels. Pure. */
export function layoutMap(count: number, width: number): MapLayout {
  const cell = count <= LARGE_CELLS ? 10 : 6
  const gap = count <= LARGE_CELLS ? 2 : 1
  const pitch = cell + gap
  const columns = Math.max(1, Math.floor((width + gap) / pitch))
  const rows = Math.ceil(count / columns)
  return { columns, rows, cell, pitch, height: Math.max(0, rows * pitch - gap) }
}

/** The cell at a point, or null beside all of them. Pure. */
export function cellAt({ columns, pitch }: MapLayout, count: number, x: number, y: number): number | null {
  const column = Math.floor(x / pitch)
  const index = Math.floor(y / pitch) * columns + column
  return column >= 0 && column < columns && index >= 0 && index < count ? index : null
}

/** Cells of each state, in the order of the legend, without those that there are none of. Pure. */
export function countCells(cells: readonly UnitState[]): readonly (readonly [UnitState, number])[] {
  const order: readonly UnitState[] = ['done', 'found', 'active', 'retrying', 'failed', 'waiting']
  const counts = new Map<UnitState, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return order.flatMap((state) => {
    const count = counts.get(state) ?? 0
    return count === 0 ? [] : [[state, count] as const]
  })
}

/** The parts a cell stands for: "Part 412", "Parts 411–415". Pure. */
export function nameCell(index: number, unitsPerCell: number, unitsTotal: number, unit: 'Part' | 'Range'): string {
  const first = index * unitsPerCell + 1
  const last = Math.min(unitsTotal, first + unitsPerCell - 1)
  return first >= last ? `${unit} ${String(first)}` : `${unit}s ${String(first)}–${String(last)}`
}
