import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

/** Listens, and then never runs again. */
const LISTENER = `
const { createServer } = require('node:net')
const { parentPort, workerData: { host, port } } = require('node:worker_threads')
createServer().listen({ host, port, backlog: 1 }, () => {
  parentPort.postMessage('listening')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`
/** More than a system keeps waiting for a server that accepts none. */
const FILLERS = 4

/** An address that answers no attempt to connect, as behind a firewall that drops packets, until the test ends. */
export async function startBlackHole(host: string, port: number): Promise<void> {
  const worker = new Worker(LISTENER, { eval: true, workerData: { host, port } })
  await once(worker, 'message')
  const fillers = Array.from({ length: FILLERS }, () => connect({ host, port }).on('error', () => undefined))
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy()
    await worker.terminate()
  })
  await once(fillers[0] as never, 'connect')
}
