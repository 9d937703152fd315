import type { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import { CONNECT_TIMEOUT_MS } from '../../../shared/limits.ts'

/** More requests than this at a time to one origin wait for a free connection. */
const MAX_CONNECTIONS = 64

/** One HTTP/1.1 connection, for one exchange at a time. It connects when it is first used. */
export interface Connection {
  readonly client: Client
  /** The socket in use or being connected; null before the first request. */
  socket: Socket | null
}

/** Connections to one origin, kept alive between requests. */
export interface ConnectionPool {
  /** A free connection; waits for one if there are too many. Throws `signal.reason` when aborted. */
  acquire(signal: AbortSignal): Promise<Connection>
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
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  const idle: Connection[] = []
  const busy = new Set<Connection>()
  const waiters = new Set<() => void>()
  let isClosed = false

  function connect(): Connection {
    const client = new Client(origin, {
      pipelining: 1,
      connect: (options, callback) => {
        const socket: unknown = connector(options, callback)
        connection.socket = socket as Socket
        return connection.socket
      },
    })
    const connection: Connection = { client, socket: null }
    return connection
  }

  function leave(connection: Connection): void {
    busy.delete(connection)
    for (const wake of waiters) wake()
  }

  const pool: ConnectionPool = {
    async acquire(signal) {
      signal.throwIfAborted()
      while (busy.size >= maxConnections) await wakeUp(waiters, signal)
      const connection = idle.pop() ?? connect()
      busy.add(connection)
      return connection
    },
    release(connection) {
      if (!busy.has(connection)) return
      if (isClosed) return pool.destroy(connection)
      idle.push(connection)
      leave(connection)
    },
    destroy(connection) {
      resetSocket(connection.socket)
      void connection.client.destroy()
      leave(connection)
    },
    destroyAll() {
      for (const connection of [...idle.splice(0), ...busy]) pool.destroy(connection)
    },
    async close() {
      isClosed = true
      await Promise.all(idle.splice(0).map(({ client }) => client.destroy()))
    },
  }
  return pool
}

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

/**
 * Closing alone lets the system send what it has buffered, which can be megabytes; a reset drops it. TLS sockets
 * offer no reset: there it is at most what the system's send buffer holds.
 */
function resetSocket(socket: Socket | null): void {
  if (socket === null || socket.destroyed) return
  if (socket.connecting || 'encrypted' in socket) {
    socket.destroy()
    return
  }
  socket.resetAndDestroy()
}
