import * as net from 'node:net'
import * as tls from 'node:tls'
import { ADDRESS_TIMEOUT_MS, createAddressLookup, type KnownAddress } from './address-lookup.ts'
import type { Network, Proxy, Route } from '../network/network.ts'
import { ReceiveBuffer } from './wire/receive-buffer.ts'
import { StoreError } from '../port/store-error.ts'
import { refusalOf, trustOptions } from '../network/trust.ts'
import { proxyFailure, requestTunnel } from './tunnel.ts'

/** Where the connections of one pool lead, and how. With a proxy, the known address is the proxy's. */
export interface Destination extends KnownAddress {
  readonly host: string
  readonly port: number
  readonly route: Route
  readonly network: Network
  /** Null for plain TCP. */
  readonly security: Security | null
}

/** TLS to one destination. */
export interface Security {
  /** The last TLS session, with which the next connection needs fewer round trips. */
  session: Buffer | undefined
}

/** The user of a connection: one request and its response. */
export interface ConnectionUser {
  connected(): void
  /** Returns where to put the next bytes; never empty. */
  space(): Uint8Array
  /** Reports how many bytes were put there. Returns false to stop reading until `resume` is called. */
  filled(byteCount: number): boolean
  /** The connection has closed; `error` is null when the other side closed it in good order. */
  closed(error: Error | null): void
  tick(): void
}

/**
 * How much is read from one connection in a turn. A busy connection has more than that, and everything else on this
 * thread waits while its bytes are read and decrypted.
 */
const TURN_BYTES = 256 * 1024

/** One HTTP/1.1 connection. It connects on first use, and any bytes that nobody asked for close it. */
export class Connection {
  readonly destination: Destination
  readonly #onGone: (connection: Connection) => void
  readonly received = new ReceiveBuffer()
  #socket: net.Socket | null = null
  #user: ConnectionUser | null = null
  #isLive = false
  /** The far end of the connection has answered, so later failures are not the proxy's fault. */
  #isPastProxy = false
  #connectMs = 0
  #turnBytes = 0
  /** This connection has used up its turn and is read again after the others have had theirs. */
  #hasHadTurn = false
  /** The connection has already carried a whole response. */
  isKept = false
  /** How much longer the connection may stay idle. */
  idleMs = 0

  constructor(destination: Destination, onGone: (connection: Connection) => void) {
    this.destination = destination
    this.#onGone = onGone
  }

  /** How long the connection took to make, handshake included. */
  get connectMs(): number {
    return this.#connectMs
  }

  /** The proxy that reads the requests; null without a proxy, or when it only relays what it can't read. */
  get proxy(): Proxy | null {
    return this.destination.security === null ? this.destination.route.proxy : null
  }

  /** Turns the error into a failure of the proxy when the proxy is to blame. */
  explain(error: Error): Error {
    const { route, network } = this.destination
    if (this.#isPastProxy || route.proxy === null || error instanceof StoreError) return error
    network.unreachable?.(route.proxy)
    return proxyFailure(route.proxy, error)
  }

  /** Begins an exchange; may call `user.connected` before it returns. */
  use(user: ConnectionUser): void {
    this.#user = user
    if (this.#socket === null) this.#socket = this.#connect()
    else {
      this.#socket.ref()
      user.connected()
    }
  }

  /** Ends an exchange. Reading continues, to notice when the connection closes, but keeps no process alive. */
  rest(): void {
    this.#user = null
    this.isKept = true
    this.#socket?.unref()
    this.#socket?.resume()
  }

  /** Sends Latin-1 text and bytes in one go. Calls `onTaken` when the system has accepted them, or never will. */
  write(text: string, bytes?: Uint8Array, onTaken?: () => void): void {
    const socket = this.#socket
    if (socket === null) return
    if (bytes === undefined) socket.write(text, 'latin1', onTaken)
    else if (text === '') socket.write(bytes, onTaken)
    else {
      socket.cork()
      socket.write(text, 'latin1')
      socket.write(bytes, onTaken)
      socket.uncork()
    }
  }

  /** Some of what was written is still in this process because the other side does not accept it. */
  get isSending(): boolean {
    return this.#socket !== null && this.#socket.writableLength > 0
  }

  resume(): void {
    this.#hasHadTurn = false
    this.#socket?.resume()
  }

  tick(): void {
    this.#user?.tick()
  }

  /** Called when the address stops answering: the next connection tries another address of the host first. */
  doubt(): void {
    this.destination.doubted = this.#socket?.remoteAddress ?? this.destination.address
    this.destination.address = undefined
  }

  /** Ends the connection in good order: what the system has accepted still goes on the wire. */
  close(): void {
    this.#user = null
    this.#socket?.destroy()
  }

  /** Ends the connection at once and drops whatever the system has not put on the wire yet. */
  reset(): void {
    this.#user = null
    const socket = this.#socket
    if (socket === null || socket.destroyed) return
    // A reset drops what the system has buffered, which can be megabytes. TLS sockets can't be reset.
    if (socket.connecting || this.destination.security !== null) socket.destroy()
    else socket.resetAndDestroy()
  }

  /** Ends the connection, and its exchange with this error. */
  fail(error: Error): void {
    this.#closed(error)
  }

  #connect(): net.Socket {
    const { host, port, security, route } = this.destination
    const { proxy } = route
    const onread = {
      buffer: () => (this.#user ?? this.received).space(),
      callback: (byteCount: number) => this.#filled(byteCount),
    }
    const lookup = createAddressLookup(this.destination)
    // Node tries all addresses of the host, one after the other.
    const anyAddress = { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }
    const startMs = performance.now()
    const ready = (socket: net.Socket): void => {
      this.#isLive = this.#isPastProxy = true
      this.destination.address = socket.remoteAddress
      this.#connectMs = performance.now() - startMs
      this.destination.network.connected?.()
      this.#user?.connected()
    }
    if (security === null) {
      const to = { host: proxy?.host ?? host, port: proxy?.port ?? port }
      const socket = this.#follow(net.connect({ ...to, onread, ...anyAddress }))
      return socket.once('connect', () => ready(socket))
    }
    if (proxy === null) return this.#secure({ host, port, onread, ...anyAddress }, ready)
    const socket = this.#follow(net.connect({ host: proxy.host, port: proxy.port, ...anyAddress }))
    const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`
    const enter = (): void => {
      this.#isPastProxy = true
      this.#socket = this.#secure({ socket }, ready).on('data', (bytes: Buffer) => this.#take(bytes))
    }
    const fail = (error: Error): void => this.#closed(error)
    return socket.once('connect', () => requestTunnel(socket, proxy, authority, enter, fail))
  }

  #secure(to: tls.ConnectionOptions & { readonly onread?: net.OnReadOpts }, ready: (socket: net.Socket) => void) {
    const { host, security, route } = this.destination
    // A resumed session skips the certificate checks, which is right only if they passed without a pinned certificate.
    const kept = route.trust.pinned === null ? security : null
    const socket = this.#follow(
      tls.connect({
        ...{ ...to, ...trustOptions(route.trust), ALPNProtocols: ['http/1.1'] },
        ...(net.isIP(host) === 0 ? { servername: host } : { host }),
        ...(kept?.session === undefined ? {} : { session: kept.session }),
      }),
    )
    socket.once('secureConnect', () => {
      const refusal = refusalOf(socket, route.trust)
      if (refusal === null) ready(socket)
      else this.#closed(refusal)
    })
    if (kept !== null) socket.on('session', (session: Buffer) => (kept.session = session))
    return socket
  }

  #follow<Socket extends net.Socket>(socket: Socket): Socket {
    socket.setNoDelay(true)
    socket.on('error', (error: Error) => this.#closed(error))
    socket.once('end', () => this.#closed(null))
    return socket.once('close', () => this.#closed(null))
  }

  /** Takes bytes out of a tunnel, which Node can't read straight into `space()`. */
  #take(bytes: Buffer): void {
    let goesOn = true
    for (let start = 0; start < bytes.length;) {
      const space = (this.#user ?? this.received).space()
      const takenBytes = bytes.copy(space, 0, start)
      start += takenBytes
      goesOn = this.#filled(takenBytes)
    }
    if (!goesOn) this.#socket?.pause()
  }

  #filled(byteCount: number): boolean {
    if (this.#user === null) {
      this.#closed(null)
      return false
    }
    if (!this.#user.filled(byteCount)) {
      this.#hasHadTurn = false
      return false
    }
    this.#turnBytes += byteCount
    if (this.#turnBytes < TURN_BYTES) return true
    this.#turnBytes = 0
    this.#hasHadTurn = true
    setImmediate(() => {
      if (this.#hasHadTurn) this.resume()
    })
    return false
  }

  #closed(error: Error | null): void {
    const user = this.#user
    this.close()
    if (user === null) this.#onGone(this)
    else if (this.#isLive) user.closed(error === null ? null : this.explain(error))
    else user.closed(this.explain(error ?? new Error('The connection was closed before it was established')))
  }
}
