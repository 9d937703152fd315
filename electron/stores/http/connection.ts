import * as net from 'node:net'
import * as tls from 'node:tls'
import { ADDRESS_TIMEOUT_MS, createAddressLookup, type KnownAddress } from './address-lookup.ts'
import type { Network, Proxy, Route } from '../network/network.ts'
import { ReceiveBuffer } from './wire/receive-buffer.ts'
import { StoreError } from '../port/store-error.ts'
import { refusalOf, trustOptions } from '../network/trust.ts'
import { proxyFailure, requestTunnel } from './tunnel.ts'

/** Where connections of one pool lead, and how. What is known of addresses is of the proxy, where there is one. */
export interface Destination extends KnownAddress {
  readonly host: string
  readonly port: number
  readonly route: Route
  readonly network: Network
  /** Null: plain TCP. */
  readonly security: Security | null
}

/** TLS to one destination. */
export interface Security {
  /** The last session, with which the next connection needs fewer round trips. */
  session: Buffer | undefined
}

/** What a connection is used for: one request and its response. */
export interface ConnectionUser {
  connected(): void
  /** Where the next bytes are to be put; never empty. */
  space(): Uint8Array
  /** So many bytes were put there. False: read no more until `resume` is called. */
  filled(byteCount: number): boolean
  /** Null: closed by the other side in good order. */
  closed(error: Error | null): void
  tick(): void
}

/**
 * Read from one connection at a time. A busy one has more than that, and while it is read and decrypted everything else
 * that this thread does waits.
 */
const TURN_BYTES = 256 * 1024

/** One HTTP/1.1 connection. It connects when it is first used, and is closed by whatever comes unasked for. */
export class Connection {
  readonly destination: Destination
  readonly #onGone: (connection: Connection) => void
  readonly received = new ReceiveBuffer()
  #socket: net.Socket | null = null
  #user: ConnectionUser | null = null
  #isLive = false
  /** The far end of the connection has answered: what fails from here on is not the proxy's fault. */
  #isPastProxy = false
  #connectMs = 0
  #turnBytes = 0
  /** It is read on when the others have had their turn. */
  #hasHadTurn = false
  /** It has carried a whole response before. */
  isKept = false
  /** How much longer it may stay idle. */
  idleMs = 0

  constructor(destination: Destination, onGone: (connection: Connection) => void) {
    this.destination = destination
    this.#onGone = onGone
  }

  /** What it took to make the connection, handshake included. */
  get connectMs(): number {
    return this.#connectMs
  }

  /** The proxy that reads the requests; null: there is none, or it only hands on what it can't read. */
  get proxy(): Proxy | null {
    return this.destination.security === null ? this.destination.route.proxy : null
  }

  /** A failure as the proxy's, if it is. */
  explain(error: Error): Error {
    const { route, network } = this.destination
    if (this.#isPastProxy || route.proxy === null || error instanceof StoreError) return error
    network.unreachable?.(route.proxy)
    return proxyFailure(route.proxy, error)
  }

  /** Begins an exchange; `user.connected` may be called at once. */
  use(user: ConnectionUser): void {
    this.#user = user
    if (this.#socket === null) this.#socket = this.#connect()
    else {
      this.#socket.ref()
      user.connected()
    }
  }

  /** Ends an exchange. The connection is read on, which shows when it is closed, but keeps no process alive. */
  rest(): void {
    this.#user = null
    this.isKept = true
    this.#socket?.unref()
    this.#socket?.resume()
  }

  /** Sends text in Latin-1 and bytes, in one go. `onTaken` is called when the system has them, or never will. */
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

  /** Some of what was written is still here: the other side does not take it. */
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

  /** It answers no more: the next connection may go to another address of the host. */
  doubt(): void {
    this.destination.address = undefined
  }

  /** Ends the connection in good order: what the system has been given still goes on the wire. */
  close(): void {
    this.#user = null
    this.#socket?.destroy()
  }

  /** Ends the connection at once: what the system has not put on the wire yet is not sent any more. */
  reset(): void {
    this.#user = null
    const socket = this.#socket
    if (socket === null || socket.destroyed) return
    // A reset drops what the system has buffered, which can be megabytes. TLS sockets offer none.
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
    // All addresses of the host are tried, one after the other.
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
    // A session that is resumed skips checks, which is right only where they went well without a pinned certificate.
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

  /** Bytes out of a tunnel: Node can't put those where they belong by itself. */
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
    else user.closed(this.explain(error ?? new Error('The connection was closed before it was made')))
  }
}
