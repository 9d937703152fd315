import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { authorize, type DemoStoreCredentials } from './http/authorization.ts'
import { respondWithError, errorBody } from './http/exchange.ts'
import { formatHttpDate } from './http/http-date.ts'
import { refuseWebPages } from './http/local-requests.ts'
import { parseRequestTarget } from './http/request-target.ts'
import { route } from './router.ts'
import { ServiceError } from './http/service-error.ts'
import { isNoSpace } from '../errno/errno.ts'
import type { Storage } from './storage/storage.ts'

/** One request and how it was answered. */
export interface HandledRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly range: string | null
  /** Null when the client left before a response began. */
  readonly status: number | null
  readonly requestId: string
}

/** What the service needs to answer requests. */
export interface Service {
  readonly storage: Storage
  readonly buckets: ReadonlySet<string>
  readonly credentials: DemoStoreCredentials | null
  readonly now: () => number
  readonly onRequest?: ((request: HandledRequest) => void) | undefined
}

/** Creates the HTTP side of the service. `settled` resolves once no request is being handled. */
export function createHttpServer(service: Service): { readonly server: Server; readonly settled: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const responses = new Set<ServerResponse>()
  const accept = (request: IncomingMessage, response: ServerResponse, waitsForContinue: boolean): void => {
    responses.add(response)
    response.once('close', () => responses.delete(response))
    const handled = handle(service, request, response, waitsForContinue).finally(() => running.delete(handled))
    running.add(handled)
  }
  const server = createServer({
    // A part may take hours to arrive; only the headers have a time limit.
    requestTimeout: 0,
    keepAliveTimeout: 60_000,
  })
  server.on('request', (request, response) => accept(request, response, false))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => accept(request, response, true))
  // HTTP lets a server ignore any other expectation.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    accept(request, response, false),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const hasBegun = [...responses].some((response) => response.req.socket === socket && response.headersSent)
    if (socket.writable && !hasBegun) refuseUnreadable(service, error, socket)
    else socket.destroy()
  })
  return { server, settled: async () => void (await Promise.all(running)) }
}

async function handle(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  waitsForContinue: boolean,
): Promise<void> {
  const { storage, buckets, credentials, now, onRequest } = service
  const { method = '', url = '', headers } = request
  const requestId = randomUUID()
  response.setHeader('x-storage-request-id', requestId)
  response.setHeader('Date', formatHttpDate(now()))
  response.setHeader('Server', 'Sluice')
  response.once('close', () =>
    onRequest?.({
      method,
      target: url,
      range: headers.range ?? null,
      status: response.headersSent ? response.statusCode : null,
      requestId,
    }),
  )
  const staysOpen = response.shouldKeepAlive
  // This client sends its body only on request. Unless that comes, the server can't tell whether a body or the next
  // request follows.
  if (waitsForContinue) response.setHeader('Connection', 'close')
  const openBody = (): IncomingMessage => {
    if (waitsForContinue) {
      response.setHeader('Connection', staysOpen ? 'keep-alive' : 'close')
      response.writeContinue()
    }
    return request
  }
  try {
    const target = parseRequestTarget(url, headers.host)
    if (credentials === null) refuseWebPages(request, target.host)
    else authorize(request, target, credentials, now())
    const isOfService = target.bucket === '' && target.key === ''
    if (!isOfService && !buckets.has(target.bucket))
      throw new ServiceError('NoSuchBucket', 'There is no bucket with this name.')
    await route(method, target)({ request, response, target, storage, buckets, now, openBody })
  } catch (error) {
    // A client that hung up has no use for a response.
    if (!response.destroyed) respondWithError(request, response, toServiceError(error), requestId)
  }
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isNoSpace(error)) return new ServiceError('InsufficientStorage', 'The disk of the service is full.')
  const { code = 'unexpected' } = error as NodeJS.ErrnoException
  return new ServiceError('InternalError', `The service could not process the request (${code}).`)
}

/** Answers bytes that are not an HTTP request. */
function refuseUnreadable({ now }: Service, error: NodeJS.ErrnoException, socket: Socket): void {
  const requestId = randomUUID()
  const refusal = new ServiceError('InvalidArgument', `The request could not be read (${error.code ?? 'unexpected'}).`)
  const body = Buffer.from(JSON.stringify(errorBody(refusal, '', requestId)))
  const head = [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    `x-storage-request-id: ${requestId}`,
    `Date: ${formatHttpDate(now())}`,
    'Server: Sluice',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), () => socket.destroy())
}
