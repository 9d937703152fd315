import type { Rectangle } from 'electron'
import { z } from 'zod'
import type { NamedValues } from '../../services/persistence/named-values.ts'

/** Where the window was, in device-independent pixels. */
export interface WindowState {
  readonly bounds: Rectangle
  readonly isMaximized: boolean
}

const NAME = 'window'
/** How much of the title bar must be on a screen for the window to be found and moved. */
const REACHABLE_WIDTH = 120
const REACHABLE_HEIGHT = 32

const stored = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  isMaximized: z.boolean(),
})

/** The state kept last time, or null when there is none or no screen shows enough of the window. */
export async function loadWindowState(
  values: NamedValues,
  workAreas: readonly Rectangle[],
): Promise<WindowState | null> {
  const state = await values.read(NAME, stored)
  return state !== null && isReachable(state.bounds, workAreas) ? state : null
}

export async function saveWindowState(values: NamedValues, state: WindowState): Promise<void> {
  await values.write(NAME, state)
}

/** Returns a window as large as wanted that still fits the screen showing most of it. Pure. */
export function fitted(wanted: Rectangle, workAreas: readonly Rectangle[]): Rectangle {
  const [area] = workAreas.toSorted((left, right) => shared(wanted, right) - shared(wanted, left))
  if (area === undefined) return wanted
  const width = Math.min(wanted.width, area.width)
  const height = Math.min(wanted.height, area.height)
  const within = (at: number, start: number, room: number): number => Math.max(start, Math.min(at, start + room))
  return {
    x: width === wanted.width ? wanted.x : within(wanted.x, area.x, area.width - width),
    y: height === wanted.height ? wanted.y : within(wanted.y, area.y, area.height - height),
    width,
    height,
  }
}

/**
 * Returns the bounds to keep for a window that is at `now`. If a small screen made the window smaller than wanted, and
 * its size was not changed since, it gets its wanted size back on the next screen with room. Pure.
 */
export function keptBounds(now: Rectangle, opened: Rectangle, wanted: Rectangle): Rectangle {
  const isLeft = now.width === opened.width && now.height === opened.height
  return isLeft ? { ...now, width: wanted.width, height: wanted.height } : now
}

function shared(bounds: Rectangle, area: Rectangle): number {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** Whether enough of the title bar lies on one of the screens. */
function isReachable(bounds: Rectangle, workAreas: readonly Rectangle[]): boolean {
  return workAreas.some((area) => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
    const isTitleInside = bounds.y >= area.y && bounds.y + REACHABLE_HEIGHT <= area.y + area.height
    return width >= REACHABLE_WIDTH && isTitleInside
  })
}
