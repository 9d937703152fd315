import { t } from '../../shared/language/translate.ts'
import type { TransferRow, UnitState } from '../../shared/transfer/transfer.ts'

/** Fewer cells than this are widened to fill the width. */
const FEW_CELLS = 40
/** Up to this many cells are drawn large. */
const LARGE_CELLS = 600

export interface MapLayout {
  readonly columns: number
  readonly rows: number
  /** Width and height of a cell in pixels. */
  readonly width: number
  readonly cell: number
  /** Width of a cell and the gap after it. */
  readonly pitch: number
  /** Height of a cell and the gap below it. */
  readonly rowPitch: number
  /** Height of the map in pixels. */
  readonly height: number
}

/** The layout of `count` cells in `width` pixels. Pure. */
export function layoutMap(count: number, width: number): MapLayout {
  const gap = count <= LARGE_CELLS ? 2 : 1
  const cell = count <= LARGE_CELLS ? 10 : 6
  const rowPitch = cell + gap
  const most = Math.max(1, Math.floor((width + gap) / rowPitch))
  const rows = Math.ceil(count / most)
  const height = Math.max(0, rows * rowPitch - gap)
  // A few cells fill the width, because a short row would look as if something were missing.
  const columns = count > 0 && count < FEW_CELLS ? Math.ceil(count / rows) : most
  const pitch = columns === most ? rowPitch : (width + gap) / columns
  return { columns, rows, width: pitch - gap, cell, pitch, rowPitch, height }
}

/** The cell at a point, or null if there is none. Pure. */
export function cellAt({ columns, pitch, rowPitch }: MapLayout, count: number, x: number, y: number): number | null {
  const column = Math.floor(x / pitch)
  const index = Math.floor(y / rowPitch) * columns + column
  return column >= 0 && column < columns && index >= 0 && index < count ? index : null
}

/** The number of cells in each state, in the order of the legend, without states that don't occur. Pure. */
export function countCells(cells: readonly UnitState[]): readonly (readonly [UnitState, number])[] {
  const order: readonly UnitState[] = ['done', 'found', 'begun', 'active', 'retrying', 'failed', 'waiting']
  const counts = new Map<UnitState, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return order.flatMap((state) => {
    const count = counts.get(state) ?? 0
    return count === 0 ? [] : [[state, count] as const]
  })
}

/** The parts a cell stands for: "Part 412", "Parts 411–415". Pure. */
export function nameCell(
  index: number,
  unitsPerCell: number,
  unitsTotal: number,
  direction: TransferRow['direction'],
): string {
  const first = index * unitsPerCell + 1
  const last = Math.min(unitsTotal, first + unitsPerCell - 1)
  return first >= last
    ? t('inspector.map.unit', { direction, number: first })
    : t('inspector.map.units', { direction, first, last })
}
