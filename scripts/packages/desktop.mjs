// The desktop on which the .deb is tested: a screen, a window manager, a session bus, a keyring, notifications, a file
// manager, and the validator of metadata for software centers.
import { capture } from '../lib/child.mjs'
import { Failure, say } from '../lib/say.mjs'
import { ensurePrograms } from '../lib/electron/system-libraries.mjs'

const PROGRAMS = {
  ...{ Xvfb: 'xvfb', openbox: 'openbox', xdotool: 'xdotool', 'dbus-daemon': 'dbus-daemon', 'dbus-send': 'dbus-bin' },
  ...{ 'gnome-keyring-daemon': 'gnome-keyring', 'update-desktop-database': 'desktop-file-utils' },
  ...{ dunst: 'dunst', pcmanfm: 'pcmanfm', appstreamcli: 'appstream' },
}

/**
 * Makes sure that everything for such a desktop is installed, from Debian's packages. Resolves with no variables, or,
 * if it isn't available, with the variable that says why, so that the tests that need it are skipped.
 */
export async function desktopForTests() {
  try {
    if (process.platform !== 'linux') throw new Failure('These tests run only on Linux.')
    await requireSandbox()
    await ensurePrograms(PROGRAMS, 'The .deb is tested on a desktop')
    return {}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(`\nNo tests on a desktop: ${error.message}`)
    return { SLUICE_NO_DESKTOP: error.message.split('\n', 1)[0] }
  }
}

/** Fails in containers that forbid what Chromium’s sandbox needs, or that have no other user. */
async function requireSandbox() {
  const makesNamespaces = await capture('unshare', ['--fork', '--pid', '--net', 'true'])
  const becomesNobody = await capture('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'true'])
  const gainsRights = (await capture('grep', ['^NoNewPrivs:.*0$', '/proc/self/status'])).code === 0
  if (makesNamespaces.code === 0 && becomesNobody.code === 0 && gainsRights) return
  throw new Failure('Chromium’s sandbox can’t work for another user here: this container forbids what it needs.')
}
