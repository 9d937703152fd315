/** How long after it last moved a pointer still counts as a hand that is about to press, milliseconds. */
export const HOLD_MS = 4000

interface PointerPlace {
  readonly screenX: number
  readonly screenY: number
}

/** What a pointer holds where it is, as long as a hand is on it. */
export interface PointerHold {
  /** The pointer is over `id`: it came there, or what is below it changed. */
  over(id: string | null, place: PointerPlace): void
  /** The pointer is pressed, moved or not. */
  pressed(id: string | null, place: PointerPlace): void
  /** The hand is elsewhere: on the keys, or out of the window. */
  end(): void
}

/** @param hold is told what is held from now on; null: nothing. */
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
      // A list that moves under a pointer that rests is no hand that comes to it.
      else if (timer !== null) hold(id)
    },
    pressed: begin,
    end,
  }
}
