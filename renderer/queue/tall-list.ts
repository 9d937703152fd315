// Scrolling through lists that are higher than a browser can draw. Pure.

/** What is drawn of a list at most, pixels: Chromium ends at 2^25 of the screen, which are fewer where it is zoomed. */
export const MAX_DRAWN_HEIGHT = 4_000_000

/** Pixels. */
export interface Heights {
  /** Of all lines. */
  readonly list: number
  /** What is seen of them at a time. */
  readonly view: number
}

/** Where a list is scrolled to: lines are drawn `shift` pixels higher than they are. */
export interface ScrollPlace {
  readonly scrollTop: number
  readonly shift: number
}

export const TOP: ScrollPlace = { scrollTop: 0, shift: 0 }

/** So far from both ends the bar moves as far as the lines do, so that a wheel comes to the end, pixels. */
const EDGE = MAX_DRAWN_HEIGHT / 8

/** Where so many pixels from the top of the list are at the top of the view, with the bar in proportion. */
export function placeAt(top: number, heights: Heights): ScrollPlace {
  const { range, room } = spans(heights)
  const within = Math.min(range, Math.max(0, top))
  const scrollTop = Math.round(stretched(within, range, room))
  return { scrollTop, shift: within - scrollTop }
}

/** What corresponds in a span of `to` to a point in one of `from`: near the ends as far from them. */
function stretched(point: number, from: number, to: number): number {
  if (from === to || point <= EDGE) return point
  if (point >= from - EDGE) return to - (from - point)
  return EDGE + ((point - EDGE) / (from - 2 * EDGE)) * (to - 2 * EDGE)
}

/**
 * The place after the bar came to `scrollTop`. A step of less than a view, as by a wheel, moves the lines as far; a larger
 * one, as by dragging the bar, goes to that share of the list.
 */
export function scrolled(before: ScrollPlace, scrollTop: number, heights: Heights): ScrollPlace {
  const { range, room } = spans(heights)
  if (room === range) return { scrollTop, shift: 0 }
  const step = scrollTop - before.scrollTop
  if (Math.abs(step) >= heights.view) return placeAt(stretched(scrollTop, room, range), heights)
  const top = Math.min(range, Math.max(0, before.scrollTop + before.shift + step))
  // At an end of the list or of the bar both are brought to agree.
  const isAtEnd = top === 0 || top === range || scrollTop <= 0 || scrollTop >= room
  return isAtEnd ? placeAt(top, heights) : { scrollTop, shift: top - scrollTop }
}

/** How far the list can be scrolled, and how far the bar. */
function spans({ list, view }: Heights): { readonly range: number; readonly room: number } {
  return { range: Math.max(0, list - view), room: Math.max(0, Math.min(list, MAX_DRAWN_HEIGHT) - view) }
}
