import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createPacer, type Pacer } from './tcp-proxy-pacer.ts'
import { createDelayLine } from './tcp-proxy-delay-line.ts'

/** What lies between a client and its server. Everything left out is as fast as this machine. */
export interface TcpProxyOptions {
  /** A port on 127.0.0.1. */
  readonly targetPort: number
  /** One way; a new connection passes nothing for the round trip of its handshake before. */
  readonly delayMs?: number
  /** Of each connection, each way; 0: nothing passes. */
  readonly connectionBytesPerSecond?: number
  /** Of all connections together, each way. */
  readonly totalBytesPerSecond?: number
  /** Each time this many bytes have passed to clients, the connection that carried the last of them is reset. */
  readonly resetEveryBytes?: number
  /** The same of bytes to the server. */
  readonly resetEveryBytesToTarget?: number
}

/** One connection through the proxy. */
export interface ProxiedConnection {
  /** Bytes handed to the client's socket so far. */
  readonly bytesToClient: number
  readonly bytesToTarget: number
  /** From now on, each way; 0: nothing passes and both ends stay open (a black hole); null: no limit. */
  limit(bytesPerSecond: number | null): void
  /** Both ends see a reset. */
  reset(): void
}

export interface TcpProxy {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  /** Open connections, the oldest first. */
  readonly connections: readonly ProxiedConnection[]
  /** Accepted so far. */
  readonly connectionCount: number
  readonly resetCount: number
  readonly bytesToClient: number
  readonly bytesToTarget: number
  /** Resolves once so many bytes in all have passed to clients. */
  passed(bytesToClient: number): Promise<void>
  /** The same of bytes to the server. */
  passedToTarget(bytesToTarget: number): Promise<void>
  /** As `connectionBytesPerSecond`, for open and for later connections. */
  limit(bytesPerSecond: number | null): void
  /** Resets what is open. */
  close(): Promise<void>
}

interface Counters {
  bytesToClient: number
  bytesToTarget: number
  connectionCount: number
  resetCount: number
}

/** Starts a proxy on loopback that makes a fast server behave like a distant, narrow or unreliable one. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const counters: Counters = { bytesToClient: 0, bytesToTarget: 0, connectionCount: 0, resetCount: 0 }
  const open = new Set<ProxiedConnection>()
  const watchers = new Set<() => void>()
  const shared = {
    toClient: createPacer(options.totalBytesPerSecond ?? null),
    toTarget: createPacer(options.totalBytesPerSecond ?? null),
  }
  let connectionRate = options.connectionBytesPerSecond ?? null
  const nextReset = {
    bytesToClient: options.resetEveryBytes ?? Infinity,
    bytesToTarget: options.resetEveryBytesToTarget ?? Infinity,
  }

  function count(way: 'bytesToClient' | 'bytesToTarget', bytes: number, connection: ProxiedConnection): void {
    counters[way] += bytes
    for (const watcher of watchers) watcher()
    if (counters[way] < nextReset[way]) return
    nextReset[way] += (way === 'bytesToClient' ? options.resetEveryBytes : options.resetEveryBytesToTarget) ?? Infinity
    counters.resetCount += 1
    connection.reset()
  }

  function passed(way: 'bytesToClient' | 'bytesToTarget', bytes: number): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (counters[way] < bytes) return
        watchers.delete(check)
        resolve()
      }
      watchers.add(check)
      check()
    })
  }

  function accept(client: Socket): void {
    counters.connectionCount += 1
    const target = connect({ port: options.targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const pacers = [createPacer(connectionRate), createPacer(connectionRate)] as const
    const own = { bytesToClient: 0, bytesToTarget: 0 }
    const connection: ProxiedConnection = {
      get bytesToClient() {
        return own.bytesToClient
      },
      get bytesToTarget() {
        return own.bytesToTarget
      },
      limit: (rate) => pacers.forEach((pacer) => pacer.setRate(rate)),
      reset() {
        if (!open.delete(connection)) return
        for (const pacer of pacers) pacer.end()
        resetSocket(client)
        resetSocket(target)
      },
    }
    open.add(connection)
    const delayMs = options.delayMs ?? 0
    const establishedAtMs = performance.now() + 2 * delayMs
    const onward = (bytes: number) => {
      own.bytesToTarget += bytes
      count('bytesToTarget', bytes, connection)
    }
    const back = (bytes: number) => {
      own.bytesToClient += bytes
      count('bytesToClient', bytes, connection)
    }
    const directions = [
      pump(client, target, [pacers[0], shared.toTarget], { delayMs, notBeforeMs: establishedAtMs }, onward),
      pump(target, client, [pacers[1], shared.toClient], { delayMs, notBeforeMs: 0 }, back),
    ]
    void Promise.all(directions).then(() => open.delete(connection), connection.reset)
  }

  const server = createServer({ allowHalfOpen: true }, accept)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    get connections() {
      return [...open]
    },
    get connectionCount() {
      return counters.connectionCount
    },
    get resetCount() {
      return counters.resetCount
    },
    get bytesToClient() {
      return counters.bytesToClient
    },
    get bytesToTarget() {
      return counters.bytesToTarget
    },
    passed: (bytes) => passed('bytesToClient', bytes),
    passedToTarget: (bytes) => passed('bytesToTarget', bytes),
    limit(rate) {
      connectionRate = rate
      for (const connection of open) connection.limit(rate)
    },
    async close() {
      for (const connection of open) connection.reset()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Passes one direction on to its end. Throws when either end breaks. */
async function pump(
  from: Socket,
  to: Socket,
  pacers: readonly Pacer[],
  delay: { readonly delayMs: number; readonly notBeforeMs: number },
  count: (bytes: number) => void,
): Promise<void> {
  const line = createDelayLine(to, delay.delayMs, delay.notBeforeMs, count)
  // Iterating it directly would end both ways of the connection when one ends.
  for await (const block of from.iterator({ destroyOnReturn: false })) {
    let rest = block as Buffer
    while (rest.length > 0) {
      const piece = rest.subarray(0, Math.min(...pacers.map((pacer) => pacer.grainBytes)))
      for (const pacer of pacers) await pacer.take(piece.length)
      await line.push(piece)
      rest = rest.subarray(piece.length)
    }
  }
  await line.end()
}

function resetSocket(socket: Socket): void {
  if (socket.connecting || socket.destroyed) socket.destroy()
  else socket.resetAndDestroy()
}
