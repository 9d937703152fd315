// Stands between page and main process. The page can reach only the requests and events named here.

import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import {
  IPC_EVENT_NAMES,
  IPC_REQUEST_NAMES,
  type IpcEventName,
  type IpcEvents,
  type IpcReply,
  type IpcRequestName,
} from '../shared/ipc/ipc-contract.ts'
import { DROPPED_PATH } from '../shared/ipc/dropped-path.ts'
import type { SluiceApi } from '../shared/ipc/sluice-api.ts'

const requestNames: ReadonlySet<string> = new Set(IPC_REQUEST_NAMES)
const eventNames: ReadonlySet<string> = new Set(IPC_EVENT_NAMES)

/** All that the page gets. Names are checked here too, so the page can't reach any other channel. */
const api: SluiceApi = {
  invoke: async <Name extends IpcRequestName>(name: Name, request: unknown): Promise<IpcReply<Name>> => {
    if (!requestNames.has(name)) return { ok: false, error: { code: 'not-allowed', message: 'No such request.' } }
    return (await ipcRenderer.invoke(name, request)) as IpcReply<Name>
  },
  on: <Name extends IpcEventName>(name: Name, listener: (event: IpcEvents[Name]) => void) => {
    if (!eventNames.has(name)) return () => undefined
    const pass = (_event: IpcRendererEvent, payload: IpcEvents[Name]): void => listener(payload)
    ipcRenderer.on(name, pass)
    return () => {
      ipcRenderer.off(name, pass)
    }
  },
  pathForFile: (file) => {
    try {
      const path = webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0])
      // Arrives before any request that names the path.
      if (path !== '') ipcRenderer.send(DROPPED_PATH, path)
      return path
    } catch {
      return ''
    }
  },
}

contextBridge.exposeInMainWorld('sluice', api)
