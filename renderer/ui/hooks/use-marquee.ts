import { useEffect, useRef, useState, type RefObject } from 'react'

/** So far the pointer moves before a press becomes a marquee, pixels. */
const THRESHOLD = 4
/** So near to the upper and lower edge, and beyond them, the list scrolls by itself, pixels. */
const EDGE = 24
/** At most so far a frame, pixels. */
const MAX_STEP = 32

/** Of the marquee in the list's box, pixels. */
export interface MarqueeBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface MarqueeOptions {
  /** Scrolls up and down; the marquee is drawn in its parent. */
  readonly scroller: RefObject<HTMLElement | null>
  /** Height of what covers the top of the scroller, pixels. */
  readonly topInset: number
  /** How much of the lines is above the scroller's view, pixels. */
  readonly scrolledBy: () => number
  /** A marquee begins, beside what is selected or in place of it; what is given back takes what it spans, in pixels of the lines. */
  readonly onBegin: (adds: boolean) => (from: number, to: number) => void
}

/**
 * A rectangle that selects lines, drawn with the mouse from where no row is dragged: not from a name, and not from what is
 * selected already. A press beside all lines takes the selection away.
 */
export function useMarquee(options: MarqueeOptions): MarqueeBox | null {
  const [box, setBox] = useState<MarqueeBox | null>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { scroller } = options
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    let isPressed = false
    element.addEventListener(
      'pointerdown',
      (event) => {
        if (!mayBegin(event, element, latest.current.topInset)) return
        isPressed = true
        follow(event, element, latest.current, setBox, () => (isPressed = false))
      },
      { signal },
    )
    // A row that can be dragged is not, from where the marquee begins.
    const onDragStart = (event: DragEvent): void => {
      if (!isPressed) return
      event.preventDefault()
      event.stopPropagation()
    }
    element.addEventListener('dragstart', onDragStart, { signal, capture: true })
    return () => leaving.abort()
  }, [scroller])
  return box
}

function mayBegin(event: PointerEvent, element: HTMLElement, topInset: number): boolean {
  const { target, clientX, clientY } = event
  if (event.button !== 0 || event.pointerType !== 'mouse' || !(target instanceof Element)) return false
  if (target.closest('button, a, input') !== null) return false
  const { left, top } = element.getBoundingClientRect()
  const x = clientX - left - element.clientLeft
  const isOnBar = x < 0 || x >= element.clientWidth
  const row = target.closest<HTMLElement>('[role="row"]')
  const isDragged = row?.draggable === true && (row.ariaSelected === 'true' || target.closest('[data-grip]') !== null)
  return !isOnBar && !isDragged && clientY >= top + topInset
}

/** Follows the pointer until the button is let go. */
function follow(
  press: PointerEvent,
  element: HTMLElement,
  { topInset, scrolledBy, onBegin }: MarqueeOptions,
  draw: (box: MarqueeBox | null) => void,
  onEnd: () => void,
): void {
  const leaving = new AbortController()
  const { signal } = leaving
  const adds = press.ctrlKey || press.metaKey || press.shiftKey
  const lineAt = (clientY: number) => clientY - element.getBoundingClientRect().top + scrolledBy()
  const from = { x: press.clientX, line: lineAt(press.clientY) }
  const isOnRow = press.target instanceof Element && press.target.closest('[role="row"]') !== null
  let at = { x: press.clientX, y: press.clientY }
  let take: ((from: number, to: number) => void) | null = null
  let frame = 0

  function show(): void {
    const to = lineAt(Math.min(bottomOf(element), Math.max(topOf(element) + topInset, at.y)))
    take?.(from.line, to)
    draw(boxOf(element, topInset, { x: from.x, y: from.line - scrolledBy() + topOf(element) }, at))
  }

  function scroll(): void {
    const step = stepFor(at.y, topOf(element) + topInset, bottomOf(element))
    if (step !== 0) {
      element.scrollTop += step
      show()
    }
    frame = requestAnimationFrame(scroll)
  }

  function onMove({ clientX, clientY }: PointerEvent): void {
    at = { x: clientX, y: clientY }
    if (take === null) {
      if (Math.hypot(clientX - press.clientX, clientY - press.clientY) < THRESHOLD) return
      take = onBegin(adds)
      frame = requestAnimationFrame(scroll)
    }
    show()
  }

  function end(): void {
    leaving.abort()
    cancelAnimationFrame(frame)
    draw(null)
    onEnd()
    keepFocusInRows(element)
    if (take !== null) swallowClick()
    else if (!isOnRow && !adds) onBegin(false)(from.line, from.line)
  }

  window.addEventListener('pointermove', onMove, { signal })
  for (const name of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(name, end, { signal })
}

const topOf = (element: HTMLElement): number => element.getBoundingClientRect().top
const bottomOf = (element: HTMLElement): number => topOf(element) + element.clientHeight

/** How far to scroll in this frame: the further beyond the edge the faster; 0 in between. Pure. */
function stepFor(y: number, top: number, bottom: number): number {
  const beyond = y < top + EDGE ? y - (top + EDGE) : y > bottom - EDGE ? y - (bottom - EDGE) : 0
  return Math.max(-MAX_STEP, Math.min(MAX_STEP, Math.round(beyond / 3)))
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The rectangle between two points of the window, as far as it is in view. */
function boxOf(element: HTMLElement, topInset: number, from: Point, to: Point): MarqueeBox {
  const bounds = element.getBoundingClientRect()
  const parent = element.parentElement?.getBoundingClientRect() ?? bounds
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  const x = (value: number) => within(value, bounds.left, bounds.right) - parent.left
  const y = (value: number) => within(value, bounds.top + topInset, bounds.bottom) - parent.top
  const [left, right] = [x(Math.min(from.x, to.x)), x(Math.max(from.x, to.x))]
  const [top, bottom] = [y(Math.min(from.y, to.y)), y(Math.max(from.y, to.y))]
  return { left, top, width: right - left, height: bottom - top }
}

/** Beside all lines a press gives focus to the list itself, where arrow keys would find no line to go on from. */
function keepFocusInRows({ parentElement: list }: HTMLElement): void {
  if (list === null || document.activeElement !== list) return
  list.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
}

/** The click at the end of the press means no row. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => event.stopPropagation()
  window.addEventListener('click', swallow, { capture: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
