/** Every code that the service answers with, and its HTTP status (docs/dialect.md, Errors). */
const STATUS_OF_CODE = {
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  EntityTooSmall: 400,
  InvalidArgument: 400,
  MalformedJSON: 400,
  MethodNotAllowed: 405,
  InternalError: 500,
  InsufficientStorage: 507,
} as const

export type ServiceErrorCode = keyof typeof STATUS_OF_CODE

/** A refusal by the service; `message` is sent to the client. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode
  readonly status: number

  constructor(code: ServiceErrorCode, message: string) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.status = STATUS_OF_CODE[code]
  }
}
