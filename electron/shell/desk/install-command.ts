import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { t } from '../../../shared/language/translate.ts'
import { administratorScript, linkCommand, type LinkOutcome } from './command-link.ts'

/** In a folder that is on everyone's PATH (/etc/paths). */
const LINK = '/usr/local/bin/sluice'
/** AppleScript's error when a person cancels the password prompt. */
const CANCELED = '(-128)'

/** Puts the app's command line on the PATH, and shows the outcome. */
export async function installCommand(parent: BrowserWindow | null): Promise<void> {
  const asAdministrator = (command: string) =>
    promisify(execFile)('/usr/bin/osascript', ['-e', administratorScript(command)])
  try {
    const script = join(process.resourcesPath, 'bin', 'sluice')
    await say(parent, await linkCommand({ script, link: LINK, fileSystem: fs, asAdministrator }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!reason.includes(CANCELED)) await say(parent, 'failed', reason)
  }
}

async function say(parent: BrowserWindow | null, outcome: LinkOutcome | 'failed', reason = ''): Promise<void> {
  const options: MessageBoxOptions = {
    type: outcome === 'linked' ? 'info' : 'warning',
    message: t(`shell.command.${outcome}`),
    detail: outcome === 'failed' ? reason : t(`shell.command.${outcome}-detail`, { link: LINK }),
    buttons: [t('shell.check.ok')],
  }
  await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
}
