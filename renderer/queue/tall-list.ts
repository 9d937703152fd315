// Scrolling through lists that are higher than a browser can draw. Pure.

/** The tallest list that is drawn, pixels. Chromium's limit is 2^25 device pixels, fewer CSS pixels when zoomed. */
export const MAX_DRAWN_HEIGHT = 4_000_000

/** Heights in pixels. */
export interface Heights {
  /** The height of all lines. */
  readonly list: number
  /** The height of what is visible at a time. */
  readonly view: number
}

/** Where a list is scrolled to: lines are drawn `shift` pixels higher than they are. */
export interface ScrollPlace {
  readonly scrollTop: number
  readonly shift: number
}

export const TOP: ScrollPlace = { scrollTop: 0, shift: 0 }

/** Within this distance of both ends, the bar moves as far as the lines, so that a wheel can reach the end. Pixels. */
const EDGE = MAX_DRAWN_HEIGHT / 8

/** The place at which the view begins `top` pixels below the top of the list, with the bar in proportion. */
export function placeAt(top: number, heights: Heights): ScrollPlace {
  const { range, room } = spans(heights)
  const within = Math.min(range, Math.max(0, top))
  const scrollTop = Math.round(stretched(within, range, room))
  return { scrollTop, shift: within - scrollTop }
}

/** Maps a point in a span of `from` to a span of `to`. Near an end, the distance from that end stays the same. */
function stretched(point: number, from: number, to: number): number {
  if (from === to || point <= EDGE) return point
  if (point >= from - EDGE) return to - (from - point)
  return EDGE + ((point - EDGE) / (from - 2 * EDGE)) * (to - 2 * EDGE)
}

/**
 * The place after the bar moved to `scrollTop`. A step smaller than the view, such as a wheel's, moves the lines just
 * as far; a larger one, such as dragging the bar, jumps to that share of the list.
 */
export function scrolled(before: ScrollPlace, scrollTop: number, heights: Heights): ScrollPlace {
  const { range, room } = spans(heights)
  if (room === range) return { scrollTop, shift: 0 }
  const step = scrollTop - before.scrollTop
  if (Math.abs(step) >= heights.view) return placeAt(stretched(scrollTop, room, range), heights)
  const top = Math.min(range, Math.max(0, before.scrollTop + before.shift + step))
  // At an end of the list or of the bar, both are made to agree again.
  const isAtEnd = top === 0 || top === range || scrollTop <= 0 || scrollTop >= room
  return isAtEnd ? placeAt(top, heights) : { scrollTop, shift: top - scrollTop }
}

/** How far the list can scroll (`range`), and how far the bar can (`room`). */
function spans({ list, view }: Heights): { readonly range: number; readonly room: number } {
  return { range: Math.max(0, list - view), room: Math.max(0, Math.min(list, MAX_DRAWN_HEIGHT) - view) }
}
