// The single entry point of the demo store: starts it on a folder, for the app and for `sluice serve`.

import { mkdir, realpath } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { DemoStoreCredentials } from './http/authorization.ts'
import { lockFolder } from './storage/folder-lock.ts'
import { createHttpServer, type HandledRequest } from './server.ts'
import { Storage } from './storage/storage.ts'

export { JournalDamaged } from './storage/journal-lines.ts'
export type { HandledRequest } from './server.ts'

export interface DemoStoreOptions {
  /** Created if missing; nothing else may be kept in it. */
  readonly directory: string
  readonly buckets: readonly string[]
  /** 0 or left out for any free port. */
  readonly port?: number
  /** Null for anonymous access without signatures. */
  readonly credentials: DemoStoreCredentials | null
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** Awaited once everything else is ready, so someone may hold the port until then. */
  readonly beforeListen?: () => Promise<void>
  /** Called when a response has finished or its connection is gone. */
  readonly onRequest?: (request: HandledRequest) => void
}

export interface RunningDemoStore {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  /** The folder to which contents unknown to the journal were moved; null when there were none. */
  readonly movedAside: string | null
  /** Cuts the connections; resolves when the last change is on disk and the folder is free. */
  close(): Promise<void>
}

/** The options that can be passed to a process that runs the store. */
export type ServedFolder = Omit<DemoStoreOptions, 'now' | 'beforeListen' | 'onRequest'>

/** Messages to such a process: what to serve, first and once; that the port is free for it; that it should end. */
export type ToDemoProcess =
  { readonly kind: 'start'; readonly options: ServedFolder } | { readonly kind: 'listen' } | { readonly kind: 'close' }

/** Its answers: that it wants its port now, how the start went, and that everything is on disk. */
export type FromDemoProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly endpoint: string; readonly movedAside: string | null }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null }
  | { readonly kind: 'closed' }

/**
 * Starts the embedded object storage service, on loopback only. Throws when the port is taken, or when the folder is
 * served by another process or has a newer format; throws JournalDamaged when the folder's contents can't be known.
 */
export async function startDemoStore(options: DemoStoreOptions): Promise<RunningDemoStore> {
  const { buckets, port = 0, credentials, now = Date.now, beforeListen, onRequest } = options
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    // Stays the same folder even if a link or the working folder leads elsewhere later.
    const directory = await realpath(options.directory)
    closers.push(await lockFolder(directory))
    const storage = await Storage.open(directory, now())
    closers.push(() => storage.close())
    const service = { storage, buckets: new Set(buckets), credentials, now, onRequest }
    const { server, settled } = createHttpServer(service)
    await beforeListen?.()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    closers.push(() => {
      server.close()
      server.closeAllConnections()
      return settled()
    })
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { endpoint, movedAside: storage.movedAside, close }
  } catch (error) {
    await close()
    throw error
  }
}
