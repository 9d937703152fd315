/** How long after its last move a pointer still counts as being in use, milliseconds. */
export const HOLD_MS = 4000

interface PointerPlace {
  readonly screenX: number
  readonly screenY: number
}

/** Holds the row under the pointer in place, as long as the pointer is in use. */
export interface PointerHold {
  /** The pointer is over `id`, because it moved, or because what is below it changed. */
  over(id: string | null, place: PointerPlace): void
  /** The pointer is pressed, whether it has moved or not. */
  pressed(id: string | null, place: PointerPlace): void
  /** The pointer is no longer in use: a key was pressed, or it left the window. */
  end(): void
}

/** @param hold called with what is held from now on; null: nothing */
export function createPointerHold(hold: (id: string | null) => void): PointerHold {
  let last: PointerPlace | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  function end(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    hold(null)
  }

  function begin(id: string | null, place: PointerPlace): void {
    last = { screenX: place.screenX, screenY: place.screenY }
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(end, HOLD_MS)
    hold(id)
  }

  return {
    over(id, place) {
      const isMoved = last === null || last.screenX !== place.screenX || last.screenY !== place.screenY
      if (isMoved) begin(id, place)
      // A list that moves under a resting pointer doesn't begin a hold.
      else if (timer !== null) hold(id)
    },
    pressed: begin,
    end,
  }
}
