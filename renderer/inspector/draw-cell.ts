import { assertNever } from '../../shared/assert.ts'
import type { UnitState } from '../../shared/transfer/transfer.ts'

/** What a cell is drawn with: a canvas context, or anything with these few calls. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  'fillRect' | 'strokeRect' | 'clearRect' | 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'fill' | 'stroke'
> & { fillStyle: unknown; strokeStyle: unknown; lineWidth: number }

export type CellColors = Readonly<Record<UnitState | 'surface', string>>

/** The position and size of a cell on its canvas, pixels. */
export interface CellBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Draws one cell. Every state has its own shape, so that none is told apart by color alone. */
export function drawCell(pen: Pen, state: UnitState, colors: CellColors, { x, y, width, height }: CellBox): void {
  pen.clearRect(x, y, width, height)
  pen.fillStyle = colors[state]
  pen.strokeStyle = colors[state]
  pen.lineWidth = 1
  const notch = Math.round(Math.min(width, height) * 0.4)
  switch (state) {
    case 'done':
      pen.fillRect(x, y, width, height)
      return
    case 'found':
      pen.fillRect(x, y, width, height)
      pen.fillStyle = colors.surface
      pen.fillRect(x + width - notch, y, notch, notch)
      return
    case 'begun':
      pen.fillRect(x, y, Math.ceil(width / 2), height)
      pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
      return
    case 'active':
      pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
      pen.fillRect(x, y + Math.floor(height / 2), width, Math.ceil(height / 2))
      return
    case 'waiting':
      pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
      return
    case 'retrying':
      path(pen, [x, y + height], [x + width, y + height], [x + width, y])
      pen.fill()
      return
    case 'failed':
      pen.lineWidth = 1.5
      path(pen, [x + 1, y + 1], [x + width - 1, y + height - 1])
      pen.stroke()
      path(pen, [x + width - 1, y + 1], [x + 1, y + height - 1])
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
