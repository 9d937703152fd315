import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrograms } from './electron/system-libraries.mjs'
import { Failure, say } from './say.mjs'

/** True if a window can be shown. */
function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Fails, with advice, if no window can be shown. */
export function requireDisplay() {
  if (hasDisplay()) return
  throw new Failure(
    'There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set).\n' +
      'Start Sluice from a desktop session, or on a virtual screen:\n\n' +
      '  xvfb-run npm start        (sudo apt-get install xvfb xauth)\n',
  )
}

/** Runs `work` with the environment of a display: the present one, or a virtual one that lasts as long as the work. */
export function withDisplay(work) {
  return withDisplays(1, ([DISPLAY]) => work(DISPLAY === undefined ? process.env : { ...process.env, DISPLAY }))
}

/**
 * Runs `work` with the names of `count` virtual displays that last as long as the work. If there is a display already,
 * with none, because its windows share one focus.
 */
export async function withDisplays(count, work) {
  if (hasDisplay()) return work([])
  await ensurePrograms({ Xvfb: 'xvfb' }, 'Tests need a screen; as there is none, they use a virtual one')
  const screens = []
  const end = () => screens.forEach((screen) => screen.kill())
  process.on('exit', end)
  try {
    const names = []
    for (let index = 0; index < count; index += 1) {
      const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      })
      screens.push(screen)
      const [number] = await Promise.race([once(screen.stdio[3], 'data'), once(screen, 'exit').then(() => [])])
      if (number === undefined) throw new Failure('The virtual screen (Xvfb) did not start.')
      names.push(`:${String(number).trim()}`)
    }
    return await work(names)
  } finally {
    process.off('exit', end)
    end()
  }
}

/** Switches that Electron needs on this machine during development. What ships gets none of them. */
export function developmentSwitches(electronFolder) {
  if (process.platform !== 'linux') return []
  const switches = process.env.DISPLAY || !process.env.WAYLAND_DISPLAY ? [] : ['--ozone-platform-hint=auto']
  if (sandboxWorks(electronFolder)) return switches
  say('Note: Chromium’s sandbox is off for this run (root, or a system that forbids it to unprivileged programs).')
  return ['--no-sandbox', ...switches]
}

function sandboxWorks(electronFolder) {
  if (process.getuid() === 0) return false
  const helper = join(electronFolder, 'chrome-sandbox')
  if (existsSync(helper) && statSync(helper).uid === 0 && statSync(helper).mode & 0o4000) return true
  const knob = (name) => existsSync(name) && readFileSync(name, 'utf8').trim()
  const allowed = knob('/proc/sys/kernel/unprivileged_userns_clone') !== '0'
  return allowed && knob('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') !== '1'
}
