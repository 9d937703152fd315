import { app, dialog, type BrowserWindow } from 'electron'
import { z } from 'zod'
import type { NamedValues } from '../services/common/named-values.ts'
import { createQuit, type Quit } from './quit.ts'

const ASKS_AT_QUIT = 'asks-at-quit'

/** Quitting, with the question in a native dialog and its "Don't ask again" kept. */
export async function createQuitDialog(
  values: NamedValues,
  window: () => BrowserWindow | null,
  activeCount: () => number,
): Promise<Quit> {
  return createQuit({
    activeCount,
    asksAtQuit: (await values.read(ASKS_AT_QUIT, z.boolean())) ?? true,
    stopAsking: () => values.write(ASKS_AT_QUIT, false),
    quit: () => app.quit(),
    keepRunning: () => window()?.minimize(),
    ask: async (message) => {
      const options = {
        type: 'question' as const,
        message,
        buttons: ['Quit', 'Keep Running'],
        defaultId: 1,
        cancelId: 1,
        checkboxLabel: 'Don’t ask again',
      }
      const parent = window()
      const answer = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
      return { quits: answer.response === 0, asksAgain: !answer.checkboxChecked }
    },
  })
}
