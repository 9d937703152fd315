import { utilityProcess, type UtilityProcess } from 'electron'
import { join } from 'node:path'
import type { FromDemoProcess, RunningDemoStore, ServedFolder, ToDemoProcess } from '../demo-store/index.ts'

/**
 * Starts the demo store in a process of its own, whose code is in `folder`: its hashing and reading then block nobody,
 * and its end is not the app's. Calls `onGone` when the process ends unasked, and `beforeListen` when it needs its port
 * to be free. Throws as `startDemoStore` does.
 */
export function createDemoStarter(folder: string) {
  return async (
    options: ServedFolder,
    onGone: () => void,
    beforeListen: () => Promise<void>,
  ): Promise<RunningDemoStore> => {
    const child = beginProcess(folder)
    const exited = new Promise<number>((resolve) => child.once('exit', resolve))
    const tell = (message: ToDemoProcess) => child.postMessage(message)
    let [isClosing, isGone] = [false, false]
    const close = async (): Promise<void> => {
      isClosing = true
      if (!isGone) tell({ kind: 'close' })
      await exited
    }
    const { endpoint, movedAside } = await new Promise<Extract<FromDemoProcess, { kind: 'running' }>>(
      (resolve, reject) => {
        void exited.then((code) => reject(new Error(`The process of the demo store ended with ${code}`)))
        child.on('message', (message: FromDemoProcess) => {
          if (message.kind === 'ready') return void beforeListen().then(() => tell({ kind: 'listen' }))
          if (message.kind === 'running') return resolve(message)
          if (message.kind === 'failed') reject(Object.assign(new Error(message.message), { code: message.code }))
          child.kill()
        })
        tell({ kind: 'start', options })
      },
    )
    void exited.then(() => {
      isGone = true
      if (!isClosing) onGone()
    })
    return { endpoint, movedAside, close }
  }
}

function beginProcess(folder: string): UtilityProcess {
  return utilityProcess.fork(join(folder, 'demo-store.js'), [], {
    serviceName: 'Sluice Demo Store',
    env: plainEnv(),
  })
}

/** The environment without variables that make Node load code or open its debugger. */
function plainEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')))
}
