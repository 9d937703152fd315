// Starting with the person's session, without a window: as the system has it, and as the settings want it.

import { app } from 'electron'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../shared/language/message.ts'
import type { Settings } from '../../shared/settings.ts'
import { RequestError } from '../services/requests/request-error.ts'
import type { SettingsStore } from '../services/persistence/settings-store.ts'
import { ownAppImage } from '../services/updates/app-image.ts'

/** What a start with the session is told by. */
const HIDDEN = '--hidden'

interface LoginItem {
  readonly isOn: () => Promise<boolean>
  readonly set: (isOn: boolean) => Promise<void>
}

/** Whether this start is one with the session, and the tray leads to the window once it is wanted. */
export function startsHidden({ showsTray }: Pick<Settings, 'showsTray'>): boolean {
  const isAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  return showsTray && (isAtLogin || process.argv.includes(HIDDEN))
}

/**
 * The same services, whose setting is what the system has: a person may have changed it there. It is set there when it is
 * set here, and not before.
 */
export async function withLoginItem<Services extends { readonly settings: SettingsStore }>(
  services: Services,
): Promise<Services> {
  const { settings } = services
  const item = process.platform === 'linux' ? autostartFile() : systemItem()
  const isOn = await item.isOn()
  if (isOn !== settings.get().opensAtLogin) await settings.set({ opensAtLogin: isOn })
  const set: SettingsStore['set'] = async (changes) => {
    const { opensAtLogin } = changes
    if (opensAtLogin !== undefined && opensAtLogin !== settings.get().opensAtLogin) {
      await item.set(opensAtLogin).catch(() => {
        throw new RequestError(message('shell.no-login-item'))
      })
    }
    return settings.set(changes)
  }
  return { ...services, settings: { ...settings, set } }
}

/** Windows and macOS keep it themselves. */
function systemItem(): LoginItem {
  const program = { path: process.execPath, args: [...ownArguments()] }
  return {
    isOn: () => Promise.resolve(app.getLoginItemSettings(program).openAtLogin),
    set: (openAtLogin) => Promise.resolve(app.setLoginItemSettings({ ...program, openAtLogin })),
  }
}

/** Desktops of Linux start what lies in this folder (freedesktop.org, Desktop Application Autostart). */
function autostartFile(): LoginItem {
  const folder = join(app.getPath('appData'), 'autostart')
  const path = join(folder, 'sluice.desktop')
  return {
    isOn: () => readFile(path, 'utf8').then(isInForce, () => false),
    set: async (isOn) => {
      if (!isOn) return rm(path, { force: true })
      await mkdir(folder, { recursive: true })
      const program = ownAppImage(process.env, process.execPath) ?? process.execPath
      await writeFile(path, autostartEntry(program, ownArguments()))
    },
  }
}

/** Before the app is packaged, its program is Electron, which is given its folder. */
function ownArguments(): readonly string[] {
  return [...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]
}

/** Whether a desktop goes by an entry: most leave it where a person turns it off, and write that into it. Pure. */
function isInForce(entry: string): boolean {
  return !/^(?:Hidden\s*=\s*true|X-[A-Za-z]+-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
}

/** Once the program is gone `TryExec` leaves the entry without effect. Pure. */
function autostartEntry(program: string, words: readonly string[]): string {
  const lines = [
    ...['[Desktop Entry]', 'Type=Application', 'Name=Sluice', 'Icon=app.sluice.desktop'],
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${[program, ...words].map(quoted).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
  ]
  return `${lines.join('\n')}\n`
}

/** As `Exec` has it: in quotes, where backslashes count twice and percent signs begin a field. Pure. */
function quoted(word: string): string {
  const escaped = word
    .replace(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return /^[\w./=-]+$/.test(word) ? word : `"${escaped}"`
}
