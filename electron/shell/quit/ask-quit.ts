import { app, dialog, type BrowserWindow } from 'electron'
import { losesByPause } from '../../../shared/transfer/pause-question.ts'
import type { TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { SettingsStore } from '../../services/common/settings-store.ts'
import { createQuit, type Quit } from './quit.ts'
import { t } from '../../../shared/language/translate.ts'

/** Quitting, with the question in a native dialog, whose "Don't ask again" is a setting. `snapshot`: null before there is one. */
export function createQuitDialog(
  settings: SettingsStore,
  window: () => BrowserWindow | null,
  snapshot: () => Pick<TransferSnapshot, 'rows' | 'totals'> | null,
): Quit {
  return createQuit({
    activeCount: () => snapshot()?.totals.counts.active ?? 0,
    lostCount: () => snapshot()?.rows.filter(losesByPause).length ?? 0,
    whenClosed: () => settings.get().whenClosed,
    remember: (whenClosed) => settings.set({ whenClosed }),
    quit: () => app.quit(),
    keepRunning: () => window()?.minimize(),
    ask: async (message) => {
      const options = {
        type: 'question' as const,
        message,
        buttons: [t('shell.quit.quit'), t('shell.quit.keep-running')],
        defaultId: 1,
        cancelId: 1,
        checkboxLabel: t('shell.quit.dont-ask'),
      }
      const parent = window()
      const answer = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
      return { quits: answer.response === 0, asksAgain: !answer.checkboxChecked }
    },
  })
}
