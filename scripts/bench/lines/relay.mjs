import { performance } from 'node:perf_hooks'
import { connect } from 'node:net'
import { createSharedLink } from './shared-link.mjs'

/**
 * Passes connections of `server`, which listens already, on to a port of 127.0.0.1.
 * @param options up, down: bytes a second, Infinity for no limit. bufferBytes: what a connection holds each way before its
 *   sender waits. delayMs, jitterMs: one way, on top of the buffers; a new connection waits for its handshake.
 *   resetEveryBytes: each time so many have passed, the connection that carried the last of them is reset.
 */
export function startRelay(server, { targetPort, ...options }) {
  const ways = {
    up: createWay(options.up ?? Infinity, options.random ?? Math.random),
    down: createWay(options.down ?? Infinity, options.random ?? Math.random),
  }
  const open = new Set()
  let mostOpen = 0
  let accepted = 0
  let nextResetBytes = options.resetEveryBytes ?? Infinity

  server.on('connection', (client) => {
    accepted += 1
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const connection = { client, target }
    open.add(connection)
    mostOpen = Math.max(mostOpen, open.size)
    const drop = () => {
      client.resetAndDestroy()
      target.resetAndDestroy()
    }
    const carried = () => {
      if (ways.up.carriedBytes + ways.down.carriedBytes < nextResetBytes) return
      nextResetBytes += options.resetEveryBytes
      drop()
    }
    const roundTripMs = 2 * (options.delayMs ?? 0)
    for (const socket of [client, target]) {
      socket.setNoDelay(true)
      socket.on('error', drop)
      socket.on('close', () => client.destroyed && target.destroyed && open.delete(connection))
    }
    // A client that is gone has still sent what lies in the buffers; a server that is gone sends nothing more.
    ways.up.join(client, target, { ...options, notBeforeMs: performance.now() + roundTripMs, carried })
    ways.down.join(target, client, { ...options, notBeforeMs: 0, carried })
  })

  return {
    get openCount() {
      return [...open].filter(({ client }) => !client.destroyed && !client.readableEnded).length
    },
    get mostOpen() {
      return mostOpen
    },
    get accepted() {
      return accepted
    },
    /** Bytes each way: taken from their senders, and of these those that reached the other end. */
    bytes: (way) => ({ taken: ways[way].takenBytes, carried: ways[way].carriedBytes }),
    /** Bytes a second from now on. */
    setRates({ up, down }) {
      ways.up.setRate(up)
      ways.down.setRate(down)
    },
    close() {
      server.close()
      for (const { client, target } of open) {
        client.destroy()
        target.destroy()
      }
      ways.up.end()
      ways.down.end()
    },
  }
}

function createWay(bytesPerSecond, random) {
  const link = createSharedLink(bytesPerSecond)
  const receivers = new Map()
  let timer
  let takenBytes = 0
  let carriedBytes = 0

  function turn() {
    clearTimeout(timer)
    const { sent, againAtMs } = link.leaving(performance.now())
    for (const { lane, bytes } of sent) receivers.get(lane)?.(bytes)
    if (againAtMs !== null) timer = setTimeout(turn, Math.max(0, againAtMs - performance.now()))
  }

  function join(from, to, { delayMs = 0, jitterMs = 0, bufferBytes = Infinity, notBeforeMs, carried }) {
    const lane = link.createLane()
    let lastDueMs = notBeforeMs
    let hasEnded = false
    const settle = () => {
      if (lane.heldBytes < bufferBytes && from.isPaused()) from.resume()
      if (hasEnded && lane.heldBytes === 0) to.end()
    }
    receivers.set(lane, (bytes) => {
      if (to.destroyed) return
      carriedBytes += bytes.length
      if (!to.write(bytes)) lane.isBlocked = true
      settle()
      carried()
    })
    to.on('drain', () => {
      lane.isBlocked = false
      turn()
    })
    from.on('data', (bytes) => {
      takenBytes += bytes.length
      // Jitter never changes the order.
      lastDueMs = Math.max(lastDueMs, performance.now() + delayMs + random() * jitterMs)
      link.push(lane, bytes, lastDueMs)
      if (lane.heldBytes >= bufferBytes) from.pause()
      turn()
    })
    from.on('end', () => {
      hasEnded = true
      settle()
    })
    to.on('close', () => {
      link.drop(lane)
      receivers.delete(lane)
      from.destroy()
    })
  }

  return {
    join,
    setRate(next) {
      link.setRate(next, performance.now())
      turn()
    },
    end: () => clearTimeout(timer),
    get takenBytes() {
      return takenBytes
    },
    get carriedBytes() {
      return carriedBytes
    },
  }
}
