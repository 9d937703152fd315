import * as net from 'node:net'
import * as tls from 'node:tls'
import { ADDRESS_TIMEOUT_MS, createAddressLookup, type KnownAddress } from './address-lookup.ts'
import { ReceiveBuffer } from './receive-buffer.ts'

/** Where connections of one pool lead, and how. */
export interface Destination extends KnownAddress {
  readonly host: string
  readonly port: number
  /** Null: plain TCP. */
  readonly security: Security | null
}

export interface Security {
  readonly context: tls.SecureContext
  /** The last session, with which the next connection needs fewer round trips. */
  session: Buffer | undefined
}

/** What a connection is used for: one request and its answer. */
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

/** One HTTP/1.1 connection. It connects when it is first used, and is closed by whatever comes unasked for. */
export class Connection {
  readonly #destination: Destination
  readonly #onGone: (connection: Connection) => void
  readonly received = new ReceiveBuffer()
  #socket: net.Socket | null = null
  #user: ConnectionUser | null = null
  #isLive = false
  #connectMs = 0
  /** It has carried a whole answer before. */
  isKept = false
  /** How much longer it may stay idle. */
  idleMs = 0

  constructor(destination: Destination, onGone: (connection: Connection) => void) {
    this.#destination = destination
    this.#onGone = onGone
  }

  /** What it took to make the connection, handshake included. */
  get connectMs(): number {
    return this.#connectMs
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
    this.#socket?.resume()
  }

  tick(): void {
    this.#user?.tick()
  }

  /** It answers no more: the next connection may go to another address of the host. */
  doubt(): void {
    this.#destination.address = undefined
  }

  /** Ends an idle connection in good order. */
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
    if (socket.connecting || this.#destination.security !== null) socket.destroy()
    else socket.resetAndDestroy()
  }

  /** Ends the connection, and its exchange with this error. */
  fail(error: Error): void {
    this.#closed(error)
  }

  #connect(): net.Socket {
    const { host, port, security } = this.#destination
    const onread = {
      buffer: () => (this.#user ?? this.received).space(),
      callback: (byteCount: number) => this.#filled(byteCount),
    }
    const lookup = createAddressLookup(this.#destination)
    // All addresses of the host are tried, one after the other.
    const anyAddress = { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }
    const to = { host, port, onread, ...anyAddress }
    const socket =
      security === null
        ? net.connect(to)
        : tls.connect({
            ...{ ...to, ALPNProtocols: ['http/1.1'], secureContext: security.context },
            ...(net.isIP(host) === 0 ? { servername: host } : {}),
            ...(security.session === undefined ? {} : { session: security.session }),
          })
    const startMs = performance.now()
    socket.setNoDelay(true)
    socket.once(security === null ? 'connect' : 'secureConnect', () => {
      this.#isLive = true
      this.#destination.address = socket.remoteAddress
      this.#connectMs = performance.now() - startMs
      this.#user?.connected()
    })
    socket.on('error', (error: Error) => this.#closed(error))
    socket.once('end', () => this.#closed(null))
    socket.once('close', () => this.#closed(null))
    if (security !== null) socket.on('session', (session: Buffer) => (security.session = session))
    return socket
  }

  #filled(byteCount: number): boolean {
    if (this.#user !== null) return this.#user.filled(byteCount)
    this.#closed(null)
    return false
  }

  #closed(error: Error | null): void {
    const user = this.#user
    this.close()
    if (user === null) this.#onGone(this)
    else user.closed(error ?? (this.#isLive ? null : new Error('The connection was closed before it was made')))
  }
}
