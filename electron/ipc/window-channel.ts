import type { BrowserWindow } from 'electron'
import type { IpcEventName, IpcEvents } from '../../shared/ipc/ipc-contract.ts'
import type { DeltaTarget } from './delta-publisher.ts'
import type { IpcGuards } from './validated-ipc.ts'

/** The channel from main to the window's page, and the check that a message comes from there. */
export interface WindowChannel {
  /** Does nothing while there is no window. */
  send<Name extends IpcEventName>(name: Name, event: IpcEvents[Name]): void
  readonly deltaTarget: DeltaTarget
  readonly isTrusted: IpcGuards['isTrusted']
}

/** `origin` is what frames report for our page and for no other page. */
export function createWindowChannel(window: () => BrowserWindow | null, origin: string): WindowChannel {
  const send: WindowChannel['send'] = (name, event) => window()?.webContents.send(name, event)
  return {
    send,
    deltaTarget: {
      sendDelta: (delta) => send('queue:delta', delta),
      sendDetails: (details) => send('queue:details', details),
      isVisible: () => {
        const current = window()
        return current !== null && current.isVisible() && !current.isMinimized()
      },
    },
    isTrusted: (frame) => frame !== null && frame === window()?.webContents.mainFrame && frame.origin === origin,
  }
}
