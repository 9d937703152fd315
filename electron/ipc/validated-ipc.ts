import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import {
  IPC_REQUEST_NAMES,
  type IpcReply,
  type IpcRequest,
  type IpcRequestName,
  type IpcResponse,
} from '../../shared/ipc-contract.ts'
import { RequestError } from './request-error.ts'
import { requestParsers } from './request-parsers.ts'

/** One function a request. Throws RequestError for what the person should read. */
export type IpcHandlers = {
  readonly [Name in IpcRequestName]: (request: IpcRequest<Name>) => IpcResponse<Name> | Promise<IpcResponse<Name>>
}

export interface IpcGuards {
  /** Whether the frame is the main frame of our own window, on our own page. */
  readonly isTrusted: (frame: IpcMainInvokeEvent['senderFrame']) => boolean
  /** Turns an error that is no RequestError into a sentence, and keeps it for the log. */
  readonly explain: (error: unknown, name: IpcRequestName) => string
}

/** The one door from the window: who sends, then what is sent, then the handler, and always a Result back. */
export function serveRequests(handlers: IpcHandlers, guards: IpcGuards): void {
  for (const name of IPC_REQUEST_NAMES) {
    ipcMain.handle(name, (event, request: unknown) => answer(name, request, event.senderFrame, handlers, guards))
  }
}

async function answer<Name extends IpcRequestName>(
  name: Name,
  request: unknown,
  sender: IpcMainInvokeEvent['senderFrame'],
  handlers: IpcHandlers,
  guards: IpcGuards,
): Promise<IpcReply<Name>> {
  if (!guards.isTrusted(sender)) return refusal('not-allowed', 'This page may not do that.')
  const parsed = requestParsers[name].safeParse(request)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refusal('invalid-request', `The request ${name} is not valid: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  try {
    return { ok: true, value: await handlers[name](parsed.data) }
  } catch (error) {
    if (error instanceof RequestError) return refusal(error.code, error.message)
    return refusal('failed', guards.explain(error, name))
  }
}

function refusal(code: RequestError['code'], message: string): IpcReply<never> {
  return { ok: false, error: { code, message } }
}
