import { app, dialog, type BrowserWindow } from 'electron'
import { losesByPause } from '../../../shared/transfer/pause-question.ts'
import type { PlaceId } from '../../../shared/place/place.ts'
import type { TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import { groupOf } from '../../../shared/transfer/transfer-group.ts'
import type { SettingsStore } from '../../services/persistence/settings-store.ts'
import { createQuit, type Quit } from './quit.ts'
import { t } from '../../../shared/language/translate.ts'

/** What the question is based on. */
export interface QuitFacts {
  /** Null until there is one. */
  readonly snapshot: () => Pick<TransferSnapshot, 'rows' | 'totals'> | null
  /** Whether the key of a place is lost when the app quits. */
  readonly losesKey: (placeId: PlaceId) => boolean
  /** Whether the user name and password of a link go with the app. */
  readonly losesSignIn: (link: string) => boolean
}

const NO_TRANSFERS = { rows: [], totals: { counts: { active: 0 } } }

/** Quitting, with the question in a native dialog whose "Don't ask again" is a setting. */
export function createQuitDialog(
  settings: SettingsStore,
  window: () => BrowserWindow | null,
  { snapshot, losesKey, losesSignIn }: QuitFacts,
): Quit {
  return createQuit({
    toPause: () => {
      const { rows, totals } = snapshot() ?? NO_TRANSFERS
      const active = rows.filter(({ status }) => groupOf(status) === 'active')
      return {
        all: totals.counts.active,
        lost: rows.filter(losesByPause).length,
        keyless: active.filter(({ placeId }) => placeId !== null && losesKey(placeId)).length,
        signedOut: active.filter(({ placeId, key }) => placeId === null && losesSignIn(key)).length,
      }
    },
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
