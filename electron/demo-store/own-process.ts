// Entry point of the process that runs the demo store for the app; built to `out/demo-store.js`.

import { startDemoStore } from './index.ts'
import type { FromDemoProcess, RunningDemoStore, ServedFolder, ToDemoProcess } from './index.ts'

/** This end of the message channel that Electron gives to a process it started. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: ToDemoProcess }) => void): void
  postMessage(message: FromDemoProcess): void
}

const { parentPort } = process as unknown as { readonly parentPort: ParentPort }
let running: Promise<RunningDemoStore> | null = null
let listen: () => void = () => undefined

parentPort.on('message', ({ data }) => {
  if (data.kind === 'start') void start(data.options)
  else if (data.kind === 'listen') listen()
  else void close()
})

async function start(options: ServedFolder): Promise<void> {
  const beforeListen = () =>
    new Promise<void>((resolve) => {
      listen = resolve
      parentPort.postMessage({ kind: 'ready' })
    })
  running = startDemoStore({ ...options, beforeListen })
  try {
    const { endpoint, movedAside } = await running
    parentPort.postMessage({ kind: 'running', endpoint, movedAside })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    parentPort.postMessage({ kind: 'failed', message, code })
  }
}

async function close(): Promise<void> {
  await running?.then((store) => store.close()).catch(() => undefined)
  parentPort.postMessage({ kind: 'closed' })
}
