import { CONNECT_TIMEOUT_MS } from '../../../shared/limits.ts'
import { inTime } from '../../async/in-time.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { BlockStore } from './wire/body-blocks.ts'
import { Connection, type Destination } from './connection.ts'
import { DIRECT, type Network, type Route } from '../network/network.ts'
import { bareHost } from '../network/proxy-rules.ts'
import { ConnectionError, networkError } from './wire/network-error.ts'
import { ReusePolicy } from './reuse-policy.ts'

/** Requests to one origin beyond this number wait for a free connection. */
const MAX_CONNECTIONS = 64
/** How long a connection may stay idle before it is closed. */
export const MAX_IDLE_MS = 5000
/**
 * Every wait is counted in ticks of this length, by one timer for all connections. After the computer was asleep or
 * busy, nothing is therefore overdue when it goes on.
 */
export const TICK_MS = 250

/** Connections to one origin, kept alive between requests. */
export interface ConnectionPool {
  /** The Host header of every request. */
  readonly host: string
  readonly blocks: BlockStore
  /** What the pool has learned about keeping connections to this origin. */
  readonly reuse: ReusePolicy
  /**
   * Returns a free connection, or a new one; waits while too many are busy. Throws `signal.reason` when aborted, and a
   * StoreError (network) when finding the route takes too long.
   */
  acquire(signal: AbortSignal, isNew?: boolean): Promise<Connection>
  /** Takes back a connection after a clean exchange. */
  release(connection: Connection): void
  /** Ends a connection at once and drops whatever the system has not put on the wire yet. */
  destroy(connection: Connection): void
  /** Ends a connection once the system has put on the wire everything it was given. */
  abandon(connection: Connection): void
  /** Ends every connection, the busy ones with a network error. */
  destroyAll(): void
  /** Closes idle connections now and busy ones after their exchange. */
  close(): Promise<void>
}

/** Creates the pool of one origin, `http://host[:port]` or `https://host[:port]`. */
export function createConnectionPool(
  origin: string,
  network: Network = DIRECT,
  maxConnections = MAX_CONNECTIONS,
): ConnectionPool {
  return new Pool(origin, network, maxConnections)
}

class Pool implements ConnectionPool {
  readonly host: string
  readonly blocks = new BlockStore()
  readonly reuse = new ReusePolicy()
  readonly #origin: string
  readonly #network: Network
  readonly #maxConnections: number
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  readonly #waiters = new Set<() => void>()
  #destination: Destination | null = null
  #ticker: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(origin: string, network: Network, maxConnections: number) {
    this.host = new URL(origin).host
    this.#origin = origin
    this.#network = network
    this.#maxConnections = maxConnections
  }

  async acquire(signal: AbortSignal, isNew = false): Promise<Connection> {
    signal.throwIfAborted()
    for (;;) {
      while (this.#busy.size >= this.#maxConnections) await wakeUp(this.#waiters, signal)
      const found = this.#network.routeTo(this.#origin)
      if (!(found instanceof Promise)) return this.#take(found, isNew)
      const route = await this.#wayBy(found, signal).finally(() => this.#wakeNext())
      if (this.#busy.size < this.#maxConnections) return this.#take(route, isNew)
    }
  }

  release(connection: Connection): void {
    if (!this.#busy.has(connection)) return
    if (this.#isClosed || connection.destination !== this.#destination) connection.close()
    else this.#idle.push(connection)
    this.#leave(connection)
  }

  destroy(connection: Connection): void {
    connection.reset()
    this.#leave(connection)
  }

  abandon(connection: Connection): void {
    connection.close()
    this.#leave(connection)
  }

  destroyAll(): void {
    this.#closeIdle()
    for (const connection of [...this.#busy]) {
      connection.fail(new Error('The connections were dropped'))
      this.destroy(connection)
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#closeIdle()
    return Promise.resolve()
  }

  /** Finding the route may mean asking the system, which may run a proxy script of the network. */
  #wayBy(found: Promise<Route>, signal: AbortSignal): Promise<Route> {
    return inTime(unlessAborted(found, signal), CONNECT_TIMEOUT_MS, () => {
      const words = `Looking up the route (proxy or direct) took longer than ${CONNECT_TIMEOUT_MS / 1000} s`
      return networkError(new ConnectionError('CONNECT_TIMEOUT', words), this.host)
    })
  }

  #take(route: Route, isNew: boolean): Connection {
    const to = this.#follow(route)
    const connection = (isNew ? undefined : this.#idle.pop()) ?? new Connection(to, (gone) => this.#forget(gone))
    this.#busy.add(connection)
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS).unref()
    return connection
  }

  /** Returns where the next connection leads. When the route has changed, closes idle connections over the old one. */
  #follow(route: Route): Destination {
    if (this.#destination?.route === route) return this.#destination
    this.#closeIdle()
    return (this.#destination = destinationOf(this.#origin, route, this.#network))
  }

  #closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  #forget(connection: Connection): void {
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)
  }

  #leave(connection: Connection): void {
    if (this.#busy.delete(connection)) this.#wakeNext()
  }

  #wakeNext(): void {
    const [next] = this.#waiters
    next?.()
  }

  #tick(): void {
    for (const connection of this.#busy) connection.tick()
    for (const connection of [...this.#idle]) {
      connection.idleMs -= TICK_MS
      if (connection.idleMs > 0) continue
      this.#forget(connection)
      connection.close()
    }
    if (this.#busy.size + this.#idle.length > 0 || this.#ticker === null) return
    clearInterval(this.#ticker)
    this.#ticker = null
    this.blocks.clear()
  }
}

function destinationOf(origin: string, route: Route, network: Network): Destination {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  return {
    host: bareHost(hostname),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    address: undefined,
    route,
    network,
    security: isSecure ? { session: undefined } : null,
  }
}

/** Waits for the caller's turn; a waiter that gives up is skipped. */
function wakeUp(waiters: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      waiters.delete(settle)
      signal.removeEventListener('abort', settle)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    waiters.add(settle)
    signal.addEventListener('abort', settle)
  })
}
