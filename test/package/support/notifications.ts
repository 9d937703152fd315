import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { whenHolds } from '../../support/tools/when-holds.ts'
import type { DesktopSession } from './desktop-session.ts'

/** Notifications stay until they are clicked, and then do what they are for. */
const SETTINGS = `[global]
mouse_left_click = do_action, close_current
[urgency_normal]
timeout = 0
`
const SERVICE = ['--dest=org.freedesktop.Notifications', '/org/freedesktop/Notifications']

/** Starts what shows notifications on this desktop. */
export async function showNotifications({ home, run, start }: DesktopSession): Promise<void> {
  const folder = join(home, '.config', 'dunst')
  await run('mkdir', '-p', folder)
  await writeFile(join(folder, 'dunstrc'), SETTINGS)
  start('dunst')
  const question = 'org.freedesktop.Notifications.GetServerInformation'
  await whenHolds(() => run('dbus-send', '--session', '--print-reply', ...SERVICE, question))
}

/** Clicks the notification that is shown, once there is one. Resolves with what it told. */
export async function clickNotification({ run }: DesktopSession): Promise<string> {
  const window = await whenHolds(async () => {
    const { stdout } = await run('xdotool', 'search', '--onlyvisible', '--class', 'Dunst')
    return stdout.trim()
  })
  await run('xdotool', 'mousemove', '--window', window, '30', '15', 'click', '1')
  return whenHolds(async () => {
    const list = 'org.dunstproject.cmd0.NotificationListHistory'
    const { stdout } = await run('dbus-send', '--session', '--print-reply=literal', ...SERVICE, list)
    const [, told = ''] = /message\s+variant\s+([^]*?)\s{8}\)/.exec(stdout) ?? []
    expect(told).not.toBe('')
    return told
  })
}
