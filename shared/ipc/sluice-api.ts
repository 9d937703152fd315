import type { IpcEventName, IpcEvents, IpcReply, IpcRequest, IpcRequestName } from './ipc-contract.ts'

/** What the preload script exposes as `window.sluice`: named functions and plain data, nothing from Electron. */
export interface SluiceApi {
  readonly invoke: <Name extends IpcRequestName>(name: Name, request: IpcRequest<Name>) => Promise<IpcReply<Name>>
  /** Returns a function that unsubscribes. */
  readonly on: <Name extends IpcEventName>(name: Name, listener: (event: IpcEvents[Name]) => void) => () => void
  /** Returns the absolute path of a dropped or picked file; empty when it has none. */
  readonly pathForFile: (file: unknown) => string
}
