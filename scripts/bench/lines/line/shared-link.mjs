/** The most that is made up for when a timer is late. */
const BURST_MS = 20
const LEAST_QUANTUM_BYTES = 1448
const MOST_QUANTUM_BYTES = 64 * 1024

/**
 * One connection's queue. Delivery sets `isBlocked` while its receiver accepts no more. `rate`: the most that it
 * carries, bytes a second; because of that, it carries nothing before `freeAtMs`.
 * @typedef {{
 *   queue: { bytes: Buffer, dueAtMs: number }[], heldBytes: number, isBlocked: boolean, rate: number, freeAtMs: number
 * }} Lane
 */

/**
 * One direction of a line that many connections share, without its own clock. Bytes queue up as far as their
 * connection's buffer allows, and leave at the line's rate, the connections taking turns.
 * @param {number} bytesPerSecond Infinity: without delay; 0: nothing passes.
 */
export function createSharedLink(bytesPerSecond) {
  let rate = bytesPerSecond
  let allowance = 0
  let filledAtMs = null
  /** Lanes that hold something, in the order in which they are served. */
  let turns = []

  function fill(nowMs) {
    const burst = Math.max(LEAST_QUANTUM_BYTES, (rate * BURST_MS) / 1000)
    const gained = filledAtMs === null ? 0 : (rate * (nowMs - filledAtMs)) / 1000
    allowance = Math.min(burst, allowance + gained)
    filledAtMs = nowMs
  }

  function takeFrom(lane, most) {
    const [first] = lane.queue
    const part = first.bytes.length <= most ? first.bytes : first.bytes.subarray(0, most)
    if (part === first.bytes) lane.queue.shift()
    else first.bytes = first.bytes.subarray(most)
    lane.heldBytes -= part.length
    return part
  }

  return {
    /** @returns {Lane} */
    createLane: (rate = Infinity) => ({ queue: [], heldBytes: 0, isBlocked: false, rate, freeAtMs: 0 }),

    /**
     * @param {Lane} lane
     * @param {Buffer} bytes
     * @param {number} dueAtMs the time before which the bytes do not leave.
     */
    push(lane, bytes, dueAtMs) {
      if (bytes.length === 0) return
      if (lane.heldBytes === 0) turns.push(lane)
      lane.queue.push({ bytes, dueAtMs })
      lane.heldBytes += bytes.length
    },

    /** Drops what a connection holds. */
    drop(lane) {
      turns = turns.filter((other) => other !== lane)
      lane.queue = []
      lane.heldBytes = 0
    },

    setRate(next, nowMs) {
      if (filledAtMs !== null && rate !== Infinity) fill(nowMs)
      rate = next
      filledAtMs = nowMs
    },

    /**
     * Delivers the bytes that leave now, in order. Returns the time at which to call it again, or null when only a
     * push, an unblocked lane or a new rate can change anything.
     * @param {number} nowMs
     * @param {(lane: Lane, bytes: Buffer) => void} deliver may mark the lane as blocked.
     * @returns {number | null}
     */
    send(nowMs, deliver) {
      if (rate !== Infinity) fill(nowMs)
      const quantum = Math.min(MOST_QUANTUM_BYTES, Math.max(LEAST_QUANTUM_BYTES, Math.floor(rate / 200)))
      for (let idle = 0; idle < turns.length;) {
        const lane = turns[0]
        const isReady = !lane.isBlocked && leavesAt(lane) <= nowMs
        if (isReady && rate !== Infinity && allowance < 1) break
        turns.shift()
        if (isReady) {
          const part = takeFrom(lane, quantum)
          if (rate !== Infinity) allowance -= part.length
          lane.freeAtMs = Math.max(lane.freeAtMs, nowMs - BURST_MS) + (part.length * 1000) / lane.rate
          deliver(lane, part)
          idle = 0
        } else idle += 1
        if (lane.heldBytes > 0) turns.push(lane)
      }
      return againAt(nowMs)
    },
  }

  function againAt(nowMs) {
    const open = turns.filter((lane) => !lane.isBlocked)
    if (open.length === 0 || rate === 0) return null
    const dueAtMs = Math.min(...open.map(leavesAt))
    if (dueAtMs > nowMs || rate === Infinity) return dueAtMs
    return nowMs + Math.max(1, ((1 - allowance) / rate) * 1000)
  }
}

function leavesAt({ queue, freeAtMs }) {
  return Math.max(queue[0].dueAtMs, freeAtMs)
}
