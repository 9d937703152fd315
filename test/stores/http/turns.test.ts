import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createConnectionPool, type ConnectionPool } from '../../../electron/stores/http/connection-pool.ts'
import type { Connection } from '../../../electron/stores/http/connection.ts'
import { MIB } from '../../../shared/limits.ts'
import { signal } from '../support/open-store.ts'

const TURN_BYTES = MIB / 4
const BLOCK_BYTES = MIB / 16
const SENT_BYTES = 64 * MIB
/** So much lies ready while nobody reads. */
const BUSY_MS = 200

/** Sends zeros to whoever asks for them, in a thread of its own: faster than they are read. */
const FLOOD = `
  const { createServer } = require('node:net')
  const { parentPort } = require('node:worker_threads')
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(Buffer.alloc(${String(SENT_BYTES)})))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('two busy connections are read in turns: what else there is to do waits for no more than one turn of each', async () => {
  const worker = new Worker(FLOOD, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(worker, 'message')) as [number]
  const pool = createConnectionPool(`http://127.0.0.1:${String(port)}`)
  onTestFinished(() => pool.close())
  const busy = await Promise.all([reading(pool), reading(pool)])
  // Meanwhile both of their buffers fill.
  for (const until = performance.now() + BUSY_MS; performance.now() < until;);

  const most = busy.map(() => 0)
  while (busy.some(({ bytes }) => bytes < SENT_BYTES)) {
    const before = busy.map(({ bytes }) => bytes)
    await setImmediate()
    for (const [index, { bytes }] of busy.entries())
      most[index] = Math.max(most[index] ?? 0, bytes - (before[index] ?? 0))
  }
  for (const bytes of most) {
    expect(bytes).toBeGreaterThanOrEqual(TURN_BYTES)
    expect(bytes).toBeLessThan(TURN_BYTES + BLOCK_BYTES)
  }
})

/** Asks for bytes, and reads them as they come. */
async function reading(pool: ConnectionPool): Promise<{ readonly bytes: number }> {
  const connection: Connection = await pool.acquire(signal)
  onTestFinished(() => connection.close())
  const read = { bytes: 0 }
  const block = new Uint8Array(BLOCK_BYTES)
  connection.use({
    connected: () => connection.write('send'),
    space: () => block,
    filled: (bytes) => {
      read.bytes += bytes
      return true
    },
    closed: () => undefined,
    tick: () => undefined,
  })
  return read
}
