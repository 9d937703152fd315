import { performance } from 'node:perf_hooks'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { HEADER_BYTES, isOut, payloadRate } from './ideal.mjs'
import { openKernelLine } from './namespaces.mjs'
import { bytesPerSecond, MEGABIT } from './profiles.mjs'
import { createRandom } from '../random.mjs'
import { createWays, startRelay } from './relay.mjs'

/** What a relay without deep buffers holds in addition to what is in transit. */
const SMALL_BUFFER_BYTES = 64 * 1024
const LOOK_MS = 50

/**
 * Opens a line to a service on a port of 127.0.0.1, of one of two kinds. `kernel`: the kernel shapes it between two
 * namespaces, and a relay at the far end adds the delay, holding no more than is in transit. `buffers`: a proxy accepts
 * bytes as fast as they come and carries them at the line's rate. `endpoints` has two entries, the second for a
 * neighbor, who may use another service. `resetSeed` decides when a profile's resets come: resets exactly as far apart
 * as parts are large would cost a whole part each time, or nothing.
 */
export async function openLine(profile, kind, targetPort, { neighborPort = targetPort, resetSeed = 1 } = {}) {
  const rates = { up: bytesPerSecond(profile, 'up'), down: bytesPerSecond(profile, 'down') }
  const line =
    kind === 'kernel'
      ? await kernelLine(profile, rates, [targetPort, neighborPort], resetSeed)
      : await buffersLine(profile, rates, [targetPort, neighborPort], resetSeed)
  const outages = keepOutages(profile.outage, (isLine) => line.setRates(isLine ? rates : { up: 0, down: 0 }))
  return {
    ...line,
    payloadRate: (way) => payloadRate(kind, rates[way]),
    close() {
      outages.end()
      line.close()
    },
  }
}

async function kernelLine(profile, rates, targetPorts, resetSeed) {
  const { roundTripMs = 0 } = profile
  const kernel = await openKernelLine({ ...rates, listeners: 2 })
  const mostBytes = Math.max(rates.up, rates.down)
  const bufferBytes = SMALL_BUFFER_BYTES + (mostBytes * 2 * roundTripMs) / 1000
  const options = { ...relayOptions(profile, resetSeed), bufferBytes }
  const ways = createWays({ up: Infinity, down: Infinity })
  const relays = kernel.servers.map((server, index) =>
    startRelay(server, ways, { ...options, targetPort: targetPorts[index] }),
  )
  const ports = kernel.servers.map((server) => server.address().port)
  return {
    endpoints: ports.map((port) => `http://${kernel.host}:${port}`),
    argvPrefix: kernel.argvPrefix,
    async look() {
      const counters = await kernel.counters()
      return {
        up: payloadOf(counters.up),
        down: payloadOf(counters.down),
        connections: await kernel.connections(ports[0]),
        accepted: relays[0].accepted,
        neighbor: { up: relays[1].bytes('up').carried, down: relays[1].bytes('down').carried },
      }
    },
    setRates: kernel.setRates,
    close() {
      for (const relay of relays) relay.close()
      ways.end()
      kernel.close()
    },
  }
}

function payloadOf({ bytes, packets }) {
  return Math.max(0, bytes - packets * HEADER_BYTES)
}

async function buffersLine(profile, rates, targetPorts, resetSeed) {
  const ways = createWays(rates)
  const relays = []
  for (const targetPort of targetPorts) {
    const server = createServer({ allowHalfOpen: true })
    await once(server.listen(0, '127.0.0.1', 4096), 'listening')
    relays.push(startRelay(server, ways, { ...relayOptions(profile, resetSeed), targetPort }))
  }
  const [relay, neighbor] = relays
  return {
    endpoints: relays.map(({ port }) => `http://127.0.0.1:${port}`),
    argvPrefix: [],
    look: () =>
      Promise.resolve({
        // What lies in the buffers of uploads still has to cross the line, whatever happens to its sender.
        up: relay.bytes('up').taken + neighbor.bytes('up').carried,
        down: relay.bytes('down').carried + neighbor.bytes('down').carried,
        connections: relay.openCount,
        accepted: relay.accepted,
        neighbor: { up: neighbor.bytes('up').carried, down: neighbor.bytes('down').carried },
      }),
    setRates: (next) => Promise.resolve(ways.setRates(next)),
    close() {
      for (const each of relays) each.close()
      ways.end()
    },
  }
}

function relayOptions({ roundTripMs = 0, jitterMs, resetEveryMiB, connection }, resetSeed) {
  const resetEveryBytes = resetEveryMiB === undefined ? Infinity : resetEveryMiB * 1024 * 1024
  const random = createRandom(resetSeed)
  const untilResetBytes = () => resetEveryBytes * (0.5 + random())
  return { delayMs: roundTripMs / 2, jitterMs, untilResetBytes, connectionRate: connection && connection * MEGABIT }
}

function keepOutages(outage, setLine) {
  if (outage === undefined) return { end: () => undefined }
  const startedMs = performance.now()
  let wasOut = false
  const timer = setInterval(() => {
    const out = isOut(outage, (performance.now() - startedMs) / 1000)
    if (out === wasOut) return
    wasOut = out
    // A line that is being closed may have lost its interface.
    setLine(!out).catch(() => undefined)
  }, LOOK_MS)
  return { end: () => clearInterval(timer) }
}
