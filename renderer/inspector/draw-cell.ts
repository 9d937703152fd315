import { assertNever } from '../../shared/assert.ts'
import type { UnitState } from '../../shared/transfer/transfer.ts'

/** What a cell is drawn on: a canvas, or anything with its few calls. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  'fillRect' | 'strokeRect' | 'clearRect' | 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'fill' | 'stroke'
> & { fillStyle: unknown; strokeStyle: unknown; lineWidth: number }

export type CellColors = Readonly<Record<UnitState | 'surface', string>>

/** Draws one cell. Every state has a shape of its own, so that none is told by colour alone. */
export function drawCell(pen: Pen, state: UnitState, colors: CellColors, x: number, y: number, size: number): void {
  pen.clearRect(x, y, size, size)
  pen.fillStyle = colors[state]
  pen.strokeStyle = colors[state]
  pen.lineWidth = 1
  const notch = Math.round(size * 0.4)
  switch (state) {
    case 'done':
      pen.fillRect(x, y, size, size)
      return
    case 'found':
      pen.fillRect(x, y, size, size)
      pen.fillStyle = colors.surface
      pen.fillRect(x + size - notch, y, notch, notch)
      return
    case 'active':
      pen.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1)
      pen.fillRect(x, y + Math.floor(size / 2), size, Math.ceil(size / 2))
      return
    case 'waiting':
      pen.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1)
      return
    case 'retrying':
      path(pen, [x, y + size], [x + size, y + size], [x + size, y])
      pen.fill()
      return
    case 'failed':
      pen.lineWidth = 1.5
      path(pen, [x + 1, y + 1], [x + size - 1, y + size - 1])
      pen.stroke()
      path(pen, [x + size - 1, y + 1], [x + 1, y + size - 1])
      pen.stroke()
      return
    default:
      assertNever(state)
  }
}

function path(pen: Pen, first: readonly [number, number], ...rest: readonly (readonly [number, number])[]): void {
  pen.beginPath()
  pen.moveTo(...first)
  for (const point of rest) pen.lineTo(...point)
  if (rest.length > 1) pen.closePath()
}
