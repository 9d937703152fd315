// Starting with the person's session, without a window: as the system has it and as the settings want it.

import { app } from 'electron'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../shared/language/message.ts'
import type { Settings } from '../../shared/settings.ts'
import { RequestError } from '../services/requests/request-error.ts'
import type { SettingsStore } from '../services/persistence/settings-store.ts'
import { ownAppImage } from '../services/updates/app-image.ts'

/** Marks a start with the session. */
const HIDDEN = '--hidden'

interface LoginItem {
  readonly isOn: () => Promise<boolean>
  readonly set: (isOn: boolean) => Promise<void>
}

/** Returns whether the app starts with the session, without a window, and the tray can open the window later. */
export function startsHidden({ showsTray }: Pick<Settings, 'showsTray'>): boolean {
  const isAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  return showsTray && (isAtLogin || process.argv.includes(HIDDEN))
}

/**
 * Returns the same services, with a setting that mirrors the system's, because a person may have changed it there. The
 * system's is changed only when the setting is changed here.
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

/** Windows and macOS keep the login item themselves. */
function systemItem(): LoginItem {
  const program = { path: process.execPath, args: [...ownArguments()] }
  return {
    isOn: () => Promise.resolve(app.getLoginItemSettings(program).openAtLogin),
    set: (openAtLogin) => Promise.resolve(app.setLoginItemSettings({ ...program, openAtLogin })),
  }
}

/** Linux desktops start what this folder contains (freedesktop.org, Desktop Application Autostart). */
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

/** An unpackaged app is run by Electron, which must be given the app's folder. */
function ownArguments(): readonly string[] {
  return [...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]
}

/** Returns whether a desktop honors an entry: most keep one that a person turns off, and note that in it. Pure. */
function isInForce(entry: string): boolean {
  return !/^(?:Hidden\s*=\s*true|X-[A-Za-z]+-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
}

/** `TryExec` disables the entry once the program is gone. Pure. */
function autostartEntry(program: string, words: readonly string[]): string {
  const lines = [
    ...['[Desktop Entry]', 'Type=Application', 'Name=Sluice', 'Icon=app.sluice.desktop'],
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${[program, ...words].map(quoted).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
  ]
  return `${lines.join('\n')}\n`
}

/** Quotes a word for `Exec`, where backslashes count twice and percent signs begin a field. Pure. */
function quoted(word: string): string {
  const escaped = word
    .replace(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return /^[\w./=-]+$/.test(word) ? word : `"${escaped}"`
}
