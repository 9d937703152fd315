import { once } from 'node:events'
import * as http from 'node:http'
import * as net from 'node:net'
import { onTestFinished } from 'vitest'

/** An HTTP proxy as offices have them, on loopback, that counts. */
export interface HttpProxy {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly address: string
  /** Authorities of the CONNECT requests, refused ones included. */
  readonly tunnels: readonly string[]
  /** Absolute addresses of the plain requests, refused ones included. */
  readonly requests: readonly string[]
  /** Heads of all requests as it got them, tunnelled bytes not included. */
  readonly headers: readonly http.IncomingHttpHeaders[]
  /** Bytes that came from the servers. */
  readonly broughtBytes: number
  /** Cuts all connections and refuses new ones, until `up`. */
  down(): Promise<void>
  up(): Promise<void>
}

export interface HttpProxyOptions {
  /** Who may use it; left out: everybody. */
  readonly signIn?: { readonly user: string; readonly password: string }
  /** Where names lead, `host:port` to `host:port`: they need not exist anywhere else. */
  readonly hosts?: Readonly<Record<string, string>>
  /** How it wants to be signed in to; left out: Basic. */
  readonly challenge?: string
  /** Answers each CONNECT with this instead. */
  readonly connectStatus?: number
}

/** Starts a proxy that ends with the test. */
export async function startHttpProxy({
  signIn,
  challenge = 'Basic realm="office"',
  hosts = {},
  connectStatus,
}: HttpProxyOptions = {}): Promise<HttpProxy> {
  const tunnels: string[] = []
  const requests: string[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const sockets = new Set<net.Socket>()
  let broughtBytes = 0
  const expected =
    signIn === undefined ? null : `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}`

  const follow = (socket: net.Socket): net.Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const leadsTo = (authority: string): { readonly host: string; readonly port: number } => {
    const url = new URL(`http://${hosts[authority] ?? authority}`)
    return { host: url.hostname, port: Number(url.port || 80) }
  }
  const isAllowed = (request: http.IncomingMessage): boolean => {
    headers.push(request.headers)
    return expected === null || request.headers['proxy-authorization'] === expected
  }

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '')
    requests.push(url.href)
    if (!isAllowed(request)) {
      response.writeHead(407, { 'proxy-authenticate': challenge, connection: 'close' }).end('sign in')
      return
    }
    const { 'proxy-authorization': _, ...passed } = request.headers
    const path = (request.url ?? '').slice(url.origin.length)
    // Each request has a connection of its own, for a server may close one that is used again. It is not told so, for its
    // upstream would tell the client to close, too.
    const sent = { agent: false, method: request.method, path, headers: { connection: 'keep-alive', ...passed } }
    const onward = http.request({ ...leadsTo(url.host), ...sent }, (upstream) => {
      upstream.on('data', (bytes: Buffer) => (broughtBytes += bytes.length))
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.on('connection', follow)
  server.on('connect', (request, client: net.Socket) => {
    tunnels.push(request.url ?? '')
    const status = isAllowed(request) ? connectStatus : 407
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: ${challenge}\r\ncontent-length: 2\r\n\r\nno`)
      return
    }
    const onward = follow(net.connect(leadsTo(request.url ?? '')))
    onward.once('connect', () => client.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 office\r\n\r\n'))
    onward.on('data', (bytes: Buffer) => (broughtBytes += bytes.length))
    onward.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
    client.once('close', () => onward.destroy())
    onward.once('close', () => client.destroy())
    client.pipe(onward).pipe(client)
  })

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  async function stop(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen(0)
  onTestFinished(stop)
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    tunnels,
    requests,
    headers,
    get broughtBytes() {
      return broughtBytes
    },
    down: stop,
    up: () => listen(port),
  }
}
