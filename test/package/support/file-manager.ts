import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { whenHolds } from '../../support/tools/when-holds.ts'
import type { DesktopSession } from './desktop-session.ts'

/** Icons so large that where the one of a folder's only file is does not depend on fonts (libfm.conf). */
const SETTINGS = '[ui]\nbig_icon_size=128\n'
const WINDOW = { x: 940, y: 320, width: 420, height: 420 }
/** The middle of that icon, from the corner of the window. All in pixels. */
const ICON = { x: 247, y: 168 }

/** A point of the screen, pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

/** Opens a file manager on a folder with one file, at the right of the screen, for this test. Resolves with where that is. */
export async function showFileManager({ home, run, start }: DesktopSession, folder: string): Promise<Point> {
  const settings = join(home, '.config', 'libfm')
  await run('mkdir', '-p', settings)
  await writeFile(join(settings, 'libfm.conf'), SETTINGS)
  start('pcmanfm', folder)
  const window = await whenHolds(async () => {
    const { stdout } = await run('xdotool', 'search', '--onlyvisible', '--class', 'pcmanfm')
    return stdout.trim()
  })
  onTestFinished(async () => void (await run('xdotool', 'windowkill', window)))
  await run('xdotool', 'windowsize', '--sync', window, String(WINDOW.width), String(WINDOW.height))
  await run('xdotool', 'windowmove', '--sync', window, ...texts(WINDOW), 'windowactivate', '--sync', window)
  return { x: WINDOW.x + ICON.x, y: WINDOW.y + ICON.y }
}

/** Presses the mouse at one point and moves it to another as a hand does, through all that lies between. */
export async function drag({ run }: DesktopSession, from: Point, to: Point): Promise<void> {
  await run('xdotool', 'mouseup', '1', 'mousemove', ...texts(from), 'mousedown', '1')
  const steps = 20
  for (let step = 1; step <= steps; step += 1) {
    const at = (one: number, other: number) => Math.round(one + ((other - one) * step) / steps)
    await run('xdotool', 'mousemove', ...texts({ x: at(from.x, to.x), y: at(from.y, to.y) }))
  }
}

function texts({ x, y }: Point): readonly string[] {
  return [String(x), String(y)]
}
