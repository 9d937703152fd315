import { dialog, type BrowserWindow } from 'electron'
import { commandLabel } from '../../../shared/ipc/menu-commands.ts'
import { t } from '../../../shared/language/translate.ts'
import { pauseQuestion } from '../../../shared/transfer/pause-question.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'

export interface PauseDeps {
  readonly rows: () => readonly TransferRow[]
  readonly window: () => BrowserWindow | null
}

/** Pauses everything; asks first if that throws bytes away. */
export type PauseOrAsk = (pause: () => Promise<void>) => Promise<void>

/** Asks the same as the window's own Pause All, in a native dialog as the window may be hidden. One at a time. */
export function createPauseOrAsk({ rows, window }: PauseDeps): PauseOrAsk {
  let isAsking = false

  async function isWanted(): Promise<boolean> {
    const question = pauseQuestion(rows())
    if (question === null) return true
    const options = {
      type: 'question' as const,
      message: question.title,
      detail: question.consequence,
      buttons: [commandLabel('pause'), t('common.cancel')],
      defaultId: 1,
      cancelId: 1,
    }
    const parent = window()
    const { response } = await (parent === null || !isSeen(parent)
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(parent, options))
    return response === 0
  }

  return async (pause) => {
    if (isAsking) return
    isAsking = true
    const goesOn = await isWanted().finally(() => (isAsking = false))
    if (goesOn) await pause()
  }
}

/** A dialog is out of sight whenever its window is. */
function isSeen(window: BrowserWindow): boolean {
  return window.isVisible() && !window.isMinimized()
}
