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
import { refusalWords, type Refusal } from '../shared/transfer/error-words.ts'

declare global {
  interface Window {
    /** Put there by the preload script; only this file reads it. */
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

  /** A sentence for people, in the language of now. */
  override get message(): string {
    return refusalWords(this.refusal)
  }
}

/** Asks main. Throws RequestError when it refuses. */
export async function request<Name extends IpcRequestName>(
  name: Name,
  payload: IpcRequest<Name>,
): Promise<IpcResponse<Name>> {
  const reply = await window.sluice.invoke(name, payload)
  if (!reply.ok) throw new RequestError(reply.error)
  return reply.value
}

/** Requests about rows, which mean the same when they are made for some of them at a time. */
type BulkName = {
  [Name in IpcRequestName]: Name extends `transfers:${string}` | 'plans:open-when-done'
    ? IpcRequest<Name> extends { readonly ids: 'all' | readonly string[] }
      ? Name
      : never
    : never
}[IpcRequestName]

/**
 * Asks main about rows, however many: as many at a time as one request may carry, one after another. Nothing is asked
 * about none. Throws RequestError when it refuses.
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

/** Requests that can be taken back. */
type AbandonableName = {
  [Name in IpcRequestName]: 'ticket' extends keyof IpcRequest<Name> ? Name : never
}[IpcRequestName]
type TicketedName = Exclude<AbandonableName, 'objects:abandon'>

/**
 * Asks main for what is not needed once `signal` is aborted: main then gives up what it does for it. Throws RequestError
 * when it refuses or has given up, the signal's reason when it was aborted before.
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

/** Listens to main. Returns a function that unsubscribes. */
export function listen<Name extends IpcEventName>(name: Name, listener: (event: IpcEvents[Name]) => void): () => void {
  return window.sluice.on(name, listener)
}

/** Absolute paths of dropped or pasted files; those without one (an image out of a web page) are left out. */
export function pathsOfFiles(files: Iterable<File>): readonly string[] {
  return [...files].map((file) => window.sluice.pathForFile(file)).filter((path) => path !== '')
}
