import type { IpcError } from '../../../shared/ipc/ipc-contract.ts'

/** A refusal that is meant for the person: `message` is shown as it is, so it holds no secret and no stack. */
export class RequestError extends Error {
  readonly code: IpcError['code']

  constructor(message: string, code: IpcError['code'] = 'failed') {
    super(message)
    this.name = 'RequestError'
    this.code = code
  }
}
