import type { IpcEventName, IpcEvents, IpcReply, IpcRequest, IpcRequestName } from './ipc-contract.ts'

/** What the preload script exposes as `window.sluice`: named functions, plain data, nothing of Electron's. */
export interface SluiceApi {
  readonly invoke: <Name extends IpcRequestName>(name: Name, request: IpcRequest<Name>) => Promise<IpcReply<Name>>
  /** Returns a function that unsubscribes. */
  readonly on: <Name extends IpcEventName>(name: Name, listener: (event: IpcEvents[Name]) => void) => () => void
  /** Absolute path of a dropped or picked file; empty when it has none. */
  readonly pathForFile: (file: unknown) => string
}
