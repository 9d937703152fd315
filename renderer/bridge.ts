// The window's only way to the main process.

import type {
  IpcError,
  IpcEventName,
  IpcEvents,
  IpcRequest,
  IpcRequestName,
  IpcResponse,
} from '../shared/ipc/ipc-contract.ts'
import type { Ticketed } from '../shared/ipc/object-requests.ts'
import type { SluiceApi } from '../shared/ipc/sluice-api.ts'
import { MAX_REQUEST_ITEMS } from '../shared/limits.ts'
import { refusalWords, type Refusal } from '../shared/transfer/words/error-words.ts'

declare global {
  interface Window {
    /** Set by the preload script; only this file reads it. */
    readonly sluice: SluiceApi
  }
}

/** Main refused a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: IpcError['code']
  readonly refusal: Refusal

  constructor({ code, message }: IpcError) {
    super()
    this.code = code
    this.refusal = message
  }

  /** A sentence for people, in the current language. */
  override get message(): string {
    return refusalWords(this.refusal)
  }
}

/** Sends a request to main. Throws RequestError when it refuses. */
export async function request<Name extends IpcRequestName>(
  name: Name,
  payload: IpcRequest<Name>,
): Promise<IpcResponse<Name>> {
  const reply = await window.sluice.invoke(name, payload)
  if (!reply.ok) throw new RequestError(reply.error)
  return reply.value
}

/** Requests about rows that may be split into several without changing their meaning. */
type BulkName = {
  [Name in IpcRequestName]: Name extends `transfers:${string}` | 'plans:open-when-done'
    ? IpcRequest<Name> extends { readonly ids: 'all' | readonly string[] }
      ? Name
      : never
    : never
}[IpcRequestName]

/**
 * Sends a request about any number of rows, split into as many requests as needed, one after another. Sends nothing for
 * no rows. Throws RequestError when main refuses.
 */
export async function requestForRows<Name extends BulkName>(
  name: Name,
  payload: IpcRequest<Name> & { readonly ids: readonly string[] },
): Promise<void> {
  const { ids } = payload
  for (let start = 0; start < ids.length; start += MAX_REQUEST_ITEMS) {
    await request(name, { ...payload, ids: ids.slice(start, start + MAX_REQUEST_ITEMS) })
  }
}

/** Requests that can be abandoned. */
type AbandonableName = {
  [Name in IpcRequestName]: 'ticket' extends keyof IpcRequest<Name> ? Name : never
}[IpcRequestName]
type TicketedName = Exclude<AbandonableName, 'objects:abandon'>

/**
 * Sends a request that main gives up when `signal` is aborted. Throws RequestError when main refuses or has given up,
 * and the signal's reason if it was aborted beforehand.
 */
export async function requestUntil<Name extends TicketedName>(
  signal: AbortSignal,
  name: Name,
  payload: IpcRequest<Name> & Ticketed,
): Promise<IpcResponse<Name>> {
  signal.throwIfAborted()
  const ticket = crypto.randomUUID()
  const abandon = () => void window.sluice.invoke('objects:abandon', { ticket })
  signal.addEventListener('abort', abandon, { once: true })
  try {
    return await request(name, { ...payload, ticket })
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/** Listens to an event from main. Returns a function that unsubscribes. */
export function listen<Name extends IpcEventName>(name: Name, listener: (event: IpcEvents[Name]) => void): () => void {
  return window.sluice.on(name, listener)
}

/** The absolute paths of dropped or pasted files, without those that have none (such as an image from a web page). */
export function pathsOfFiles(files: Iterable<File>): readonly string[] {
  return [...files].map((file) => window.sluice.pathForFile(file)).filter((path) => path !== '')
}
