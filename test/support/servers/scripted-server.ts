import { once } from 'node:events'
import * as http from 'node:http'
import * as net from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that was read to its end. */
export interface TakenRequest {
  readonly method: string
  /** Request target as sent. */
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface ScriptedResponse {
  readonly status: number
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface ScriptedServer {
  readonly endpoint: string
  readonly requests: readonly TakenRequest[]
  /** Connections made so far. */
  readonly connectionCount: number
}

/**
 * So long a server keeps a connection on which nothing is asked (milliseconds): one that a busy machine lets stand
 * for some seconds is not closed while the next request is on its way.
 */
export const KEPT_MS = 60_000

/** Answers each request with the next entry of a script, the last one for ever; ends with the test. */
export async function startScript(
  script: readonly (ScriptedResponse | ((request: TakenRequest) => ScriptedResponse))[],
): Promise<ScriptedServer> {
  const requests: TakenRequest[] = []
  const server = http.createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (bytes: Buffer) => pieces.push(bytes))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const taken = { method, url, headers, body: Buffer.concat(pieces) }
      const entry = script[Math.min(requests.length, script.length - 1)] ?? { status: 500 }
      requests.push(taken)
      const { status, headers: sent = {}, body = '' } = typeof entry === 'function' ? entry(taken) : entry
      response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...sent })
      response.end(method === 'HEAD' ? '' : body)
    })
  })
  const ports = new Set<number | undefined>()
  server.on('connection', (socket: net.Socket) => ports.add(socket.remotePort))
  const endpoint = await listenUntilTestEnds(server)
  return {
    endpoint,
    requests,
    get connectionCount() {
      return ports.size
    },
  }
}

/** Serves raw bytes: `serve` gets each connection and does what it likes; ends with the test. */
export async function startRaw(serve: (socket: net.Socket) => void): Promise<{ readonly endpoint: string }> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  })
  return { endpoint: await listenUntilTestEnds(server) }
}

/** Starts listening on a free loopback port and returns the base URL; closes the server when the test is over. */
export async function listenUntilTestEnds(server: net.Server, scheme = 'http'): Promise<string> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  return `${scheme}://127.0.0.1:${(server.address() as net.AddressInfo).port}`
}
