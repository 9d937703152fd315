import type { Rectangle } from 'electron'
import { z } from 'zod'
import type { NamedValues } from '../services/common/named-values.ts'

/** Where the window was, in device-independent pixels. */
export interface WindowState {
  readonly bounds: Rectangle
  readonly isMaximized: boolean
}

const NAME = 'window'
/** So much of the title bar must be on a screen for the window to be found and moved. */
const REACHABLE_WIDTH = 120
const REACHABLE_HEIGHT = 32

const stored = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  isMaximized: z.boolean(),
})

/** The state kept last time, or null when there is none or it is out of every screen's reach. */
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

/** Whether enough of the title bar lies on one of the screens. */
export function isReachable(bounds: Rectangle, workAreas: readonly Rectangle[]): boolean {
  return workAreas.some((area) => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
    const isTitleInside = bounds.y >= area.y && bounds.y + REACHABLE_HEIGHT <= area.y + area.height
    return width >= REACHABLE_WIDTH && isTitleInside
  })
}
