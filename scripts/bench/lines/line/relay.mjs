import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createSharedLink } from './shared-link.mjs'

/** Both directions of a line, which several relays may share. Rates are in bytes a second; Infinity: no limit. */
export function createWays({ up, down }) {
  const ways = { up: createWay(up), down: createWay(down) }
  return {
    ...ways,
    setRates(rates) {
      ways.up.setRate(rates.up)
      ways.down.setRate(rates.down)
    },
    end() {
      ways.up.end()
      ways.down.end()
    },
  }
}

/**
 * Passes the connections of `server`, which is already listening, on to a port of 127.0.0.1.
 * @param {import('node:net').Server} server
 * @param options bufferBytes: what a connection holds each way before its sender has to wait; left out: no limit.
 *   connectionRate: the most that a connection carries each way, bytes a second; left out: what the line does. delayMs, jitterMs: one way; a new connection also waits for its handshake. random: for the jitter. untilResetBytes:
 *   returns after how many more bytes the connection that carried the last of them is reset; called again each time.
 */
export function startRelay(server, ways, { targetPort, ...options }) {
  const open = new Set()
  const bytes = { up: { taken: 0, carried: 0 }, down: { taken: 0, carried: 0 } }
  let accepted = 0
  const { untilResetBytes = () => Infinity } = options
  let nextResetBytes = untilResetBytes()

  function carry(connection, way, count) {
    bytes[way].carried += count
    if (bytes.up.carried + bytes.down.carried < nextResetBytes) return
    nextResetBytes += untilResetBytes()
    drop(connection)
  }

  server.on('connection', (client) => {
    accepted += 1
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const connection = { client, target }
    open.add(connection)
    for (const socket of [client, target]) {
      socket.setNoDelay(true)
      socket.on('error', () => drop(connection))
      socket.on('close', () => client.destroyed && target.destroyed && open.delete(connection))
    }
    const handshakeMs = 2 * (options.delayMs ?? 0)
    // Even if the client is gone, it has sent what lies in the buffers.
    const counters = (way) => ({
      take: (count) => void (bytes[way].taken += count),
      carry: (count) => carry(connection, way, count),
    })
    ways.up.join(client, target, counters('up'), { ...options, notBeforeMs: performance.now() + handshakeMs })
    ways.down.join(target, client, counters('down'), { ...options, notBeforeMs: 0 })
  })

  return {
    port: server.address().port,
    /** The number of connections that their clients have not ended. */
    get openCount() {
      return [...open].filter(({ client }) => !client.destroyed && !client.readableEnded).length
    },
    get accepted() {
      return accepted
    },
    /** The bytes in one direction: `taken` from their senders, and of these `carried` to the other end. */
    bytes: (/** @type {'up' | 'down'} */ way) => bytes[way],
    close() {
      server.close()
      for (const connection of open) drop(connection)
    },
  }
}

function drop({ client, target }) {
  client.resetAndDestroy()
  target.resetAndDestroy()
}

function createWay(bytesPerSecond) {
  const link = createSharedLink(bytesPerSecond)
  const receivers = new Map()
  let timer

  function turn() {
    clearTimeout(timer)
    const againAtMs = link.send(performance.now(), (lane, bytes) => receivers.get(lane)?.(bytes))
    if (againAtMs !== null) timer = setTimeout(turn, Math.max(0, againAtMs - performance.now()))
  }

  function join(from, to, count, options) {
    const { delayMs = 0, jitterMs = 0, bufferBytes = Infinity, notBeforeMs, random = Math.random } = options
    const lane = link.createLane(options.connectionRate)
    let lastDueMs = notBeforeMs
    let hasEnded = false
    const settle = () => {
      if (lane.heldBytes < bufferBytes && from.isPaused()) from.resume()
      if (hasEnded && lane.heldBytes === 0) to.end()
    }
    receivers.set(lane, (bytes) => {
      if (to.destroyed) return
      if (!to.write(bytes)) lane.isBlocked = true
      settle()
      count.carry(bytes.length)
    })
    to.on('drain', () => {
      lane.isBlocked = false
      turn()
    })
    from.on('data', (bytes) => {
      count.take(bytes.length)
      // Jitter must not change the order.
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
  }
}
