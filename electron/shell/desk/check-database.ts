import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'

export interface DatabaseCheck {
  /** Whether the list of transfers is sound, as it would be looked at when Sluice starts. */
  readonly isSound: () => Promise<boolean>
  readonly transfers: () => number
  /** Starts Sluice anew, which saves what can be read of a damaged list. */
  readonly restart: () => void
}

/** Looks through the list of transfers, says what was found, and offers to mend it. */
export async function checkDatabase(
  { isSound, transfers, restart }: DatabaseCheck,
  parent: BrowserWindow | null,
): Promise<void> {
  const isDamaged = !(await isSound())
  const options = isDamaged ? DAMAGED : soundWords(transfers())
  const answer = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
  if (isDamaged && answer.response === 0) restart()
}

const DAMAGED: MessageBoxOptions = {
  type: 'warning',
  message: 'The list of transfers is damaged.',
  detail:
    'Sluice can restart and save every transfer that can still be read. The damaged list is kept, and places and ' +
    'settings stay as they are.',
  buttons: ['Restart and Repair', 'Later'],
  defaultId: 0,
  cancelId: 1,
}

function soundWords(transfers: number): MessageBoxOptions {
  const count = transfers === 1 ? '1 transfer' : `${String(transfers)} transfers`
  return { type: 'info', message: 'The list of transfers is sound.', detail: `It holds ${count}.`, buttons: ['OK'] }
}
