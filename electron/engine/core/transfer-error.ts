import type { TransferErrorCode, TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'

/** A condition that ends a run until a person decides. Thrown inside the engine; outside it is plain data. */
export class TransferError extends Error {
  readonly info: TransferErrorInfo

  constructor(
    code: TransferErrorCode,
    detail: string,
    facts: Partial<Omit<TransferErrorInfo, 'code' | 'detail'>> & { readonly cause?: unknown } = {},
  ) {
    super(detail, { cause: facts.cause })
    this.name = 'TransferError'
    this.info = {
      code,
      detail,
      serviceCode: facts.serviceCode ?? null,
      httpStatus: facts.httpStatus ?? null,
      requestId: facts.requestId ?? null,
      ...(facts.dispute === undefined ? {} : { dispute: facts.dispute }),
      ...(facts.waitCause === undefined ? {} : { waitCause: facts.waitCause }),
      ...(facts.isOfProxy === undefined ? {} : { isOfProxy: facts.isOfProxy }),
      ...(facts.guard === undefined ? {} : { guard: facts.guard }),
    }
  }

  /** The error that a run ended with, to be thrown by what it was part of. */
  static of({ code, detail, ...facts }: TransferErrorInfo): TransferError {
    return new TransferError(code, detail, facts)
  }
}

/** The volume of a target has less free space than the transfer still needs. */
export class SpaceLacking extends Error {
  /** That of a write to a full volume. */
  readonly code = 'ENOSPC'
  /** How many more bytes must be free. */
  readonly lackingBytes: number

  constructor(lackingBytes: number, cause?: unknown) {
    super(`${lackingBytes} more bytes of free space are needed`, { cause })
    this.name = 'SpaceLacking'
    this.lackingBytes = lackingBytes
  }
}

/** The file of an upload, or its drive, is not there: it may come back. */
export class SourceAway extends TransferError {}

/** The file was moved away and back, or got other permissions: its content may well be unchanged. */
export class SourceTouched extends TransferError {}
