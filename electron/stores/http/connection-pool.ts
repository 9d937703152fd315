import * as tls from 'node:tls'
import { BlockStore } from './body-blocks.ts'
import { Connection, type Destination } from './connection.ts'
import { ReusePolicy } from './reuse-policy.ts'

/** More requests than this at a time to one origin wait for a free connection. */
const MAX_CONNECTIONS = 64
/** A connection that nobody used for so long is closed. */
export const MAX_IDLE_MS = 5000
/**
 * Everything that takes time is counted in ticks of this length, one timer for all connections: a computer that was
 * asleep, or busy, finds nothing overdue when it goes on.
 */
export const TICK_MS = 250

/** Connections to one origin, kept alive between requests. */
export interface ConnectionPool {
  /** The Host of every request. */
  readonly host: string
  readonly blocks: BlockStore
  /** What was learnt about keeping connections to this origin. */
  readonly reuse: ReusePolicy
  /** A free connection, or a new one; waits if there are too many. Throws `signal.reason` when aborted. */
  acquire(signal: AbortSignal, isNew?: boolean): Promise<Connection>
  /** Takes back a connection after a clean exchange. */
  release(connection: Connection): void
  /** Ends a connection at once: what the system has not put on the wire yet is not sent any more. */
  destroy(connection: Connection): void
  /** Ends every connection, the busy ones with a network error. */
  destroyAll(): void
  /** Closes idle connections now and busy ones after their exchange. */
  close(): Promise<void>
}

/** Creates the pool of one origin, `http://host[:port]` or `https://host[:port]`. */
export function createConnectionPool(origin: string, maxConnections = MAX_CONNECTIONS): ConnectionPool {
  const blocks = new BlockStore()
  const idle: Connection[] = []
  const busy = new Set<Connection>()
  const waiters = new Set<() => void>()
  let destination: Destination | null = null
  let ticker: NodeJS.Timeout | null = null
  let isClosed = false

  function connect(): Connection {
    return new Connection((destination ??= destinationOf(origin)), forget)
  }

  function forget(connection: Connection): void {
    const index = idle.indexOf(connection)
    if (index !== -1) idle.splice(index, 1)
  }

  function leave(connection: Connection): void {
    if (!busy.delete(connection)) return
    const [next] = waiters
    next?.()
  }

  function tick(): void {
    for (const connection of busy) connection.tick()
    for (const connection of [...idle]) {
      connection.idleMs -= TICK_MS
      if (connection.idleMs > 0) continue
      forget(connection)
      connection.close()
    }
    if (busy.size + idle.length > 0 || ticker === null) return
    clearInterval(ticker)
    ticker = null
    blocks.clear()
  }

  const pool: ConnectionPool = {
    host: new URL(origin).host,
    blocks,
    reuse: new ReusePolicy(),
    async acquire(signal, isNew = false) {
      signal.throwIfAborted()
      while (busy.size >= maxConnections) await wakeUp(waiters, signal)
      const connection = (isNew ? undefined : idle.pop()) ?? connect()
      busy.add(connection)
      ticker ??= setInterval(tick, TICK_MS).unref()
      return connection
    },
    release(connection) {
      if (!busy.has(connection)) return
      if (isClosed) connection.close()
      else idle.push(connection)
      leave(connection)
    },
    destroy(connection) {
      connection.reset()
      leave(connection)
    },
    destroyAll() {
      for (const connection of idle.splice(0)) connection.close()
      for (const connection of [...busy]) {
        connection.fail(new Error('The connections were dropped'))
        pool.destroy(connection)
      }
    },
    close() {
      isClosed = true
      for (const connection of idle.splice(0)) connection.close()
      return Promise.resolve()
    },
  }
  return pool
}

function destinationOf(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  return {
    // A literal IPv6 address comes in brackets.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    address: undefined,
    security: isSecure ? { context: secureContext(), session: undefined } : null,
  }
}

/** As Node's own, but AES-128 comes first, as in browsers: it is as safe here and costs less than AES-256. */
function secureContext(): tls.SecureContext {
  const names = tls.DEFAULT_CIPHERS.split(':')
  const isCheapest = (name: string): boolean => name === 'TLS_AES_128_GCM_SHA256'
  const ciphers = [...names.filter(isCheapest), ...names.filter((name) => !isCheapest(name))].join(':')
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ciphers })
}

/** Waits until it is this one's turn; one that gives up is passed over. */
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
