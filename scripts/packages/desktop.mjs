// What makes up the desktop that the tests of the .deb put it on: a screen, a window manager, a session bus, a keyring,
// notifications, a file manager, and what judges the data of software centres.
import { capture } from '../lib/child.mjs'
import { Failure, say } from '../lib/say.mjs'
import { ensurePrograms } from '../lib/electron/system-libraries.mjs'

const PROGRAMS = {
  ...{ Xvfb: 'xvfb', openbox: 'openbox', xdotool: 'xdotool', 'dbus-daemon': 'dbus-daemon', 'dbus-send': 'dbus-bin' },
  ...{ 'gnome-keyring-daemon': 'gnome-keyring', 'update-desktop-database': 'desktop-file-utils' },
  ...{ dunst: 'dunst', pcmanfm: 'pcmanfm', appstreamcli: 'appstream' },
}

/**
 * Sees to it that there is all that such a desktop takes, from Debian's packages. Resolves with no variable; where it
 * can't be had, with the one that says why, and the tests that need it are skipped.
 */
export async function desktopForTests() {
  try {
    if (process.platform !== 'linux') throw new Failure('Only Linux has such a desktop.')
    await requireSandbox()
    await ensurePrograms(PROGRAMS, 'The .deb is tried on a desktop')
    return {}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(`\nNo tests on a desktop: ${error.message}`)
    return { SLUICE_NO_DESKTOP: error.message.split('\n', 1)[0] }
  }
}

/** Some containers have no right to what Chromium’s sandbox is made of, or no other user. */
async function requireSandbox() {
  const makesNamespaces = await capture('unshare', ['--fork', '--pid', '--net', 'true'])
  const becomesNobody = await capture('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'true'])
  const gainsRights = (await capture('grep', ['^NoNewPrivs:.*0$', '/proc/self/status'])).code === 0
  if (makesNamespaces.code === 0 && becomesNobody.code === 0 && gainsRights) return
  throw new Failure('Chromium’s sandbox can’t work for another user here: this container forbids what it is made of.')
}
