import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { t } from '../../../shared/language/translate.ts'

export interface DatabaseCheck {
  /** Checks whether the list of transfers is sound, as Sluice does when it starts. */
  readonly isSound: () => Promise<boolean>
  readonly transfers: () => number
  /** Restarts Sluice, which saves whatever it can read of a damaged list. */
  readonly restart: () => void
}

/** Checks the list of transfers, shows the result, and offers to repair a damaged list. */
export async function checkDatabase(
  { isSound, transfers, restart }: DatabaseCheck,
  parent: BrowserWindow | null,
): Promise<void> {
  const isDamaged = !(await isSound())
  const options = isDamaged ? damagedWords() : soundWords(transfers())
  const answer = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
  if (isDamaged && answer.response === 0) restart()
}

function damagedWords(): MessageBoxOptions {
  return {
    type: 'warning',
    message: t('shell.check.damaged'),
    detail: t('shell.check.damaged-detail'),
    buttons: [t('shell.check.repair'), t('shell.check.later')],
    defaultId: 0,
    cancelId: 1,
  }
}

function soundWords(count: number): MessageBoxOptions {
  const detail = t('shell.check.holds', { count })
  return { type: 'info', message: t('shell.check.sound'), detail, buttons: [t('shell.check.ok')] }
}
