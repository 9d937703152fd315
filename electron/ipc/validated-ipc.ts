import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import {
  IPC_REQUEST_NAMES,
  type IpcReply,
  type IpcRequest,
  type IpcRequestName,
  type IpcResponse,
} from '../../shared/ipc/ipc-contract.ts'
import { DROPPED_PATH } from '../../shared/ipc/dropped-path.ts'
import { message } from '../../shared/language/message.ts'
import type { Refusal } from '../../shared/transfer/words/error-words.ts'
import { fitting, parseForeign } from '../parsing/fitting.ts'
import { refusalOf, RequestError } from '../services/requests/request-error.ts'
import { absolutePath } from '../services/persistence/schemas.ts'
import { createChosenPaths, type ChosenPaths } from './chosen-paths.ts'
import { createRequestParsers, type RequestParsers } from './parsers/request-parsers.ts'

/** One handler per request. Throws RequestError for what the person should read. */
export type IpcHandlers = {
  readonly [Name in IpcRequestName]: (request: IpcRequest<Name>) => IpcResponse<Name> | Promise<IpcResponse<Name>>
}

export interface IpcGuards {
  /** Returns whether the frame is the main frame of our own window, on our own page. */
  readonly isTrusted: (frame: IpcMainInvokeEvent['senderFrame']) => boolean
  /** Logs an error that no handler foresaw, or what is wrong with a request. */
  readonly onBug: (what: string, error: unknown) => void
}

/**
 * The single entry point for the window: checks the sender, then the request, then calls the handler, and always
 * returns a Result. Requests without a handler in `first` wait for `later`.
 */
export function serveRequests(
  first: Promise<Partial<IpcHandlers>>,
  later: Promise<IpcHandlers>,
  guards: IpcGuards,
): void {
  const chosen = createChosenPaths()
  let all: IpcHandlers | null = null
  const door = {
    ...{ guards, chosen, parsers: createRequestParsers(chosen.has) },
    handlerOf: async <Name extends IpcRequestName>(name: Name): Promise<IpcHandlers[Name]> =>
      (all ?? (await first))[name] ?? (await later)[name],
  }
  // Requests that wait for these report the failure.
  first.catch(() => undefined)
  later.then(
    (handlers) => (all = handlers),
    () => undefined,
  )
  for (const name of IPC_REQUEST_NAMES) {
    ipcMain.handle(name, (event, request: unknown) => answer(name, request, event.senderFrame, door))
  }
  ipcMain.on(DROPPED_PATH, (event, dropped: unknown) => {
    const path = fitting(absolutePath, dropped)
    if (guards.isTrusted(event.senderFrame) && path !== undefined) chosen.add(path)
  })
}

interface Door {
  readonly handlerOf: <Name extends IpcRequestName>(name: Name) => Promise<IpcHandlers[Name]>
  readonly guards: IpcGuards
  readonly chosen: ChosenPaths
  readonly parsers: RequestParsers
}

async function answer<Name extends IpcRequestName>(
  name: Name,
  request: unknown,
  sender: IpcMainInvokeEvent['senderFrame'],
  { handlerOf, guards, chosen, parsers }: Door,
): Promise<IpcReply<Name>> {
  if (!guards.isTrusted(sender)) return refusal('not-allowed', message('services.request.not-allowed'))
  const parsed = parseForeign(parsers[name], request)
  if (!parsed.success) {
    // The request may hold a secret, so its content must not appear in the log.
    const [issue] = parsed.error.issues
    guards.onBug(`request ${name}`, `not valid: ${issue?.path.join('.') ?? ''} (${issue?.code ?? 'unknown'})`)
    return refusal('invalid-request', message('services.request.invalid'))
  }
  try {
    const handler = await handlerOf(name)
    const value = await handler(parsed.data)
    chosen.addFrom(name, value)
    return { ok: true, value }
  } catch (error) {
    if (error instanceof RequestError) return refusal(error.code, error.refusal)
    guards.onBug(`request ${name}`, error)
    return refusal('failed', refusalOf(error))
  }
}

function refusal(code: RequestError['code'], why: Refusal): IpcReply<never> {
  return { ok: false, error: { code, message: why } }
}
