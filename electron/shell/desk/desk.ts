// The parts of the app outside its window and what it does by itself: menu bar, timed pauses, sleep when all is done.

import { app, Menu, shell, type BrowserWindow } from 'electron'
import { join } from 'node:path'
import type { IpcEventName, IpcEvents } from '../../../shared/ipc/ipc-contract.ts'
import type { MenuFacts } from '../../../shared/ipc/menu-commands.ts'
import type { Plans, WhenDone } from '../../../shared/ipc/desktop-requests.ts'
import type { Place } from '../../../shared/place/place.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { createSystemClock, type Engine } from '../../engine/index.ts'
import { refusalOf } from '../../services/requests/request-error.ts'
import { endOfPause } from '../../services/scheduling/pause-time.ts'
import type { SettingsStore } from '../../services/persistence/settings-store.ts'
import type { NamedValues } from '../../services/persistence/named-values.ts'
import type { LowSpeed } from '../../services/bandwidth/low-speed.ts'
import type { TimedPause } from '../../services/scheduling/timed-pause.ts'
import type { Updates } from '../../services/updates/updates.ts'
import { createWhenAllDone, type WhenAllDone } from '../../services/scheduling/when-all-done.ts'
import { sleepComputer } from '../power.ts'
import type { MainWindow } from '../window/window.ts'
import { readLicenses } from './licenses.ts'
import { createOpenWhenDone, type OpenWhenDone } from './open-when-done.ts'
import { createPauseOrAsk, type PauseOrAsk } from './pause-or-ask.ts'
import { checkDatabase, type DatabaseCheck } from './check-database.ts'
import { installCommand } from './install-command.ts'
import { createMenuBar, type MenuBar } from './menu-bar.ts'
import type { MenuActions } from './menu-template.ts'
import { saveReport, type ReportSources } from './save-report.ts'
import { createTrayIcon, followWithTray, type FollowingTray } from './tray.ts'
import { message } from '../../../shared/language/message.ts'

export interface DeskDeps {
  readonly engine: Pick<Engine, 'snapshot' | 'pause' | 'resume'>
  readonly settings: SettingsStore
  readonly timedPause: TimedPause
  readonly lowSpeed: LowSpeed
  readonly values: NamedValues
  /** Opens a finished download; a file that the system would run is only shown in its folder. */
  readonly openDownload: (id: TransferId) => Promise<void>
  readonly places: () => readonly Place[]
  readonly window: MainWindow
  /** Sends an event to the window's page; does nothing while there is none. */
  readonly send: <Name extends IpcEventName>(name: Name, event: IpcEvents[Name]) => void
  /** Folder of the built files. */
  readonly folder: string
  readonly report: ReportSources
  readonly database: DatabaseCheck
  readonly updates: Updates
  readonly quit: () => void
  readonly onError: (what: string, error: unknown) => void
}

export interface Desk {
  /** The window reports which commands currently do something. */
  readonly followMenu: (facts: MenuFacts) => void
  readonly observe: (delta: TransferDelta) => void
  /** Shows the window with these transfers selected. */
  readonly reveal: (ids: readonly TransferId[]) => void
  readonly plans: () => Plans
  readonly resumeNow: () => Promise<void>
  readonly setLowSpeed: (isOn: boolean) => Promise<void>
  readonly setWhenDone: (what: WhenDone) => void
  readonly openWhenDone: (ids: readonly TransferId[], opens: boolean) => void
  readonly licenses: () => Promise<string | null>
  readonly updates: Pick<Updates, 'status' | 'act'>
  readonly saveReport: (withNames: boolean) => Promise<string | null>
  readonly close: () => void
}

/** Shows the menu bar and keeps it in step with the window, the settings and the places. */
export function createDesk(deps: DeskDeps): Desk {
  const { settings, timedPause, lowSpeed, window, send, folder, report, onError } = deps
  const whenAllDone = createWhenDone(deps, tellPlans)
  const openWhenDone = createOpening(deps, tellPlans, refused)
  let facts: MenuFacts | null = null

  const pauseOrAsk = createPauseOrAsk({ rows: () => deps.engine.snapshot().rows, window: window.current })
  const menuBar = createMenu(deps, {
    pauseOrAsk,
    facts: () => facts,
    whenAllDone,
    send: (command) => inWindow(() => send('menu:command', command)),
    inBackground,
  })

  const tray = createTray(deps, { pauseOrAsk, inBackground, reveal })

  const plans = (): Plans => plansOf(deps, whenAllDone, openWhenDone)

  function tellPlans(): void {
    send('plans:changed', plans())
    menuBar.show()
  }

  function reveal(ids: readonly TransferId[]): void {
    inBackground(
      'show window',
      window.show().then(() => send('rows:reveal', { ids })),
    )
  }

  /** Reports the failure of something that a person asked for, because nothing else shows it. */
  function refused(what: string, error: unknown): void {
    onError(what, error)
    send('app:notice', { sentences: [refusalOf(error)] })
  }

  function inBackground(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => refused(what, error))
  }

  /** On a Mac, the menu bar stays even without a window. */
  function inWindow(tell: () => void): void {
    if (window.current() === null) inBackground('show window', window.show().then(tell))
    else tell()
  }

  for (const each of [timedPause, lowSpeed]) each.follow(tellPlans)
  settings.follow((changed) => {
    send('settings:changed', changed)
    tray.show(changed.showsTray)
    menuBar.show()
  })
  deps.updates.follow((status) => {
    send('updates:changed', status)
    menuBar.show()
  })
  menuBar.show()
  tray.show(settings.get().showsTray)
  return {
    followMenu: (told) => {
      facts = told
      menuBar.show()
    },
    observe: (delta) => {
      for (const each of [timedPause, whenAllDone, openWhenDone, tray]) each.observe(delta)
    },
    reveal,
    plans,
    resumeNow: timedPause.resumeNow,
    setLowSpeed: lowSpeed.turn,
    setWhenDone: (what) => {
      if (what !== 'update' || deps.updates.isReady()) whenAllDone.choose(what)
    },
    openWhenDone: openWhenDone.set,
    close: () => [whenAllDone, tray].forEach((each) => each.close()),
    updates: deps.updates,
    licenses: () => readLicenses(process.resourcesPath, folder),
    saveReport: (withNames) => saveReport(report, withNames),
  }
}

function plansOf({ timedPause, lowSpeed }: DeskDeps, whenAllDone: WhenAllDone, openWhenDone: OpenWhenDone): Plans {
  return {
    pausedUntilMs: timedPause.untilMs(),
    lowSpeed: lowSpeed.state(),
    whenDone: whenAllDone.chosen(),
    countdown: whenAllDone.countdown(),
    opensWhenDone: openWhenDone.ids(),
  }
}

interface MenuParts {
  readonly pauseOrAsk: PauseOrAsk
  readonly facts: () => MenuFacts | null
  readonly whenAllDone: WhenAllDone
  readonly send: MenuActions['send']
  readonly inBackground: (what: string, work: Promise<unknown>) => void
}

function createMenu(deps: DeskDeps, { pauseOrAsk, facts, whenAllDone, send, inBackground }: MenuParts): MenuBar {
  const { settings, timedPause, lowSpeed, places, window, report, database, updates, quit } = deps
  return createMenuBar(
    () => ({
      platform: process.platform,
      isPackaged: app.isPackaged,
      facts: facts(),
      places: places(),
      limitBytesPerSecond: settings.get().limitBytesPerSecond,
      isLowSpeed: lowSpeed.state().isOn,
      whenDone: whenAllDone.chosen(),
      canUpdate: updates.status().host !== null,
      isUpdateReady: updates.isReady(),
    }),
    {
      send,
      undo: () => undoIn(window.current(), send),
      limit: (limitBytesPerSecond) => inBackground('limit', settings.set({ limitBytesPerSecond })),
      toggleLowSpeed: () => inBackground('low speed', lowSpeed.turn(!lowSpeed.state().isOn)),
      pauseFor: (time) =>
        inBackground(
          'pause',
          pauseOrAsk(() => timedPause.pauseUntil(endOfPause(time, Date.now()))),
        ),
      whenDone: whenAllDone.choose,
      showLog: () => shell.showItemInFolder(report.log.path),
      checkDatabase: () => inBackground('check database', checkDatabase(database, window.current())),
      checkForUpdates: () => {
        updates.act('check')
        if (window.current() === null) inBackground('show window', window.show())
      },
      installCommand: () => inBackground('install command', installCommand(window.current())),
      quit,
    },
  )
}

function undoIn(window: BrowserWindow | null, send: MenuActions['send']): void {
  // On a Mac, the field may also be one of a file dialog.
  if (process.platform === 'darwin') Menu.sendActionToFirstResponder('undo:')
  else window?.webContents.undo()
  if (window !== null) send('undo')
}

function createOpening(
  { values, openDownload }: DeskDeps,
  onChange: () => void,
  refused: DeskDeps['onError'],
): OpenWhenDone {
  return createOpenWhenDone({ values, open: openDownload, onChange, onError: (error) => refused('open', error) })
}

function createWhenDone({ timedPause, updates, send, onError }: DeskDeps, onChange: () => void): WhenAllDone {
  return createWhenAllDone({
    clock: createSystemClock(),
    isHeld: () => timedPause.untilMs() !== null,
    effects: {
      sleep: sleepComputer,
      quit: () => Promise.resolve(app.quit()),
      update: () => Promise.resolve(updates.act('restart')),
    },
    onChange,
    onError: (what, error) => {
      onError(`when all done: ${what}`, error)
      if (what === 'sleep') send('app:notice', { sentences: [message('shell.no-sleep')] })
    },
  })
}

interface TrayParts {
  readonly pauseOrAsk: PauseOrAsk
  readonly inBackground: (what: string, work: Promise<unknown>) => void
  readonly reveal: (ids: readonly TransferId[]) => void
}

function createTray(
  { engine, window, folder, quit, onError }: DeskDeps,
  { pauseOrAsk, inBackground, reveal }: TrayParts,
): FollowingTray {
  const icon = createTrayIcon(join(folder, 'tray'), process.platform, {
    show: () => inBackground('show window', window.show()),
    reveal: (id) => reveal([id]),
    pauseAll: () =>
      inBackground(
        'pause',
        pauseOrAsk(() => engine.pause('all')),
      ),
    resumeAll: () => inBackground('resume', engine.resume('all')),
    quit,
  })
  return followWithTray(engine.snapshot(), icon, onError)
}
