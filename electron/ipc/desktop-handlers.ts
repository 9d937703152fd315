import type { DesktopRequests, Plans, WhenDone } from '../../shared/ipc/desktop-requests.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import type { MenuFacts } from '../../shared/ipc/menu-commands.ts'
import type { UpdateAction, UpdateStatus } from '../../shared/ipc/update-status.ts'
import type { IpcHandlers } from './validated-ipc.ts'

export interface DesktopRequestServices {
  readonly followMenu: (facts: MenuFacts) => void
  readonly plans: () => Plans
  readonly resumeNow: () => Promise<void>
  readonly setLowSpeed: (isOn: boolean) => Promise<void>
  readonly setWhenDone: (what: WhenDone) => void
  readonly openWhenDone: (ids: readonly TransferId[], opens: boolean) => void
  readonly licenses: () => Promise<string | null>
  readonly updates: { readonly status: () => UpdateStatus; readonly act: (action: UpdateAction) => void }
  readonly saveReport: (withNames: boolean) => Promise<string | null>
}

/** What the window may request from and tell the desktop around it. */
export function createDesktopRequests(services: DesktopRequestServices): Pick<IpcHandlers, keyof DesktopRequests> {
  return {
    'menu:facts': (facts) => {
      services.followMenu(facts)
      return null
    },
    'plans:get': services.plans,
    'plans:resume-now': () => services.resumeNow().then(() => null),
    'plans:set-low-speed': ({ isOn }) => services.setLowSpeed(isOn).then(() => null),
    'plans:set-when-done': ({ what }) => {
      services.setWhenDone(what)
      return null
    },
    'plans:open-when-done': ({ ids, opens }) => {
      services.openWhenDone(ids, opens)
      return null
    },
    'app:licenses': services.licenses,
    'updates:get': services.updates.status,
    'updates:act': ({ action }) => {
      services.updates.act(action)
      return null
    },
    'report:save': async ({ withNames }) => ({ path: await services.saveReport(withNames) }),
  }
}
