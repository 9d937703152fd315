import { app } from 'electron'
import type { CredentialStore } from '../services/persistence/credential-store.ts'
import type { Transfers } from '../services/index.ts'
import type { DeskDeps } from '../shell/desk/desk.ts'
import type { Desktop } from '../shell/desktop.ts'
import type { LogFile } from '../shell/log-file.ts'

interface AboutParts {
  readonly transfers: Transfers
  readonly desktop: Desktop
  readonly log: LogFile
  readonly keyring: CredentialStore['state']
}

/** What the Help menu reports about the app, and checks. */
export function aboutItself({ transfers, desktop, log, keyring }: AboutParts): Pick<DeskDeps, 'report' | 'database'> {
  const { isSafe, engine, places, settings, network } = transfers
  return {
    report: {
      ...{ version: app.getVersion(), log },
      facts: () => [
        ['Safe mode', isSafe ? 'on' : 'off'],
        ['Keyring', keyring()],
        ['Proxy', network.state().proxy.mode],
      ],
      state: () => ({ settings: settings.get(), places: places.list(), rows: engine.snapshot().rows }),
      chooseTarget: desktop.chooseTarget,
    },
    database: {
      isSound: transfers.isListSound,
      transfers: () => engine.snapshot().rows.length,
      restart: desktop.restart,
    },
  }
}
