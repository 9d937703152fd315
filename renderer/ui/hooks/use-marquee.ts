import { useEffect, useRef, useState, type RefObject } from 'react'

/** How far the pointer must move before a press becomes a marquee, pixels. */
const THRESHOLD = 4
/** How close to the upper or lower edge the pointer makes the list scroll by itself, pixels. */
const EDGE = 24
/** The most that the list scrolls per frame, pixels. */
const MAX_STEP = 32

/** The position and size of the marquee in the list's box, pixels. */
export interface MarqueeBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface MarqueeOptions {
  /** Scrolls up and down; the marquee is drawn in its parent. */
  readonly scroller: RefObject<HTMLElement | null>
  /** The height of what covers the top of the scroller, pixels. */
  readonly topInset: number
  /** How far the lines are scrolled, pixels. */
  readonly scrolledBy: () => number
  /** Begins a marquee, which adds to the selection or replaces it. Returns a function that takes its span, pixels. */
  readonly onBegin: (adds: boolean) => (from: number, to: number) => void
}

/**
 * A rectangle that selects lines, drawn with the mouse. It can't begin on a name or on a selected row, from where rows
 * are dragged. A press beside all lines clears the selection.
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
    // Prevents dragging a row from where a marquee begins.
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

/** Follows the pointer until the button is released. */
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

/** How far to scroll in this frame: the further beyond an edge, the faster; 0 between the edges. Pure. */
function stepFor(y: number, top: number, bottom: number): number {
  const beyond = y < top + EDGE ? y - (top + EDGE) : y > bottom - EDGE ? y - (bottom - EDGE) : 0
  return Math.max(-MAX_STEP, Math.min(MAX_STEP, Math.round(beyond / 3)))
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The visible part of the rectangle between two points of the window. */
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

/** A press beside all lines focuses the list itself, where arrow keys would have no line to start from. */
function keepFocusInRows({ parentElement: list }: HTMLElement): void {
  if (list === null || document.activeElement !== list) return
  list.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
}

/** Ignores the click at the end of the press, which isn't meant for a row. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => event.stopPropagation()
  window.addEventListener('click', swallow, { capture: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
