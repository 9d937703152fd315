// The demo store as a place of the app: started with it, on loopback.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Place } from '../../../shared/place/place.ts'
import { startDemoStore } from '../../demo-store/index.ts'
import type { NamedValues } from '../common/named-values.ts'
import type { StoreConnection } from '../../stores/index.ts'

export const DEMO_PLACE_ID = 'demo'

const BUCKET = 'demo'
const PORT = 'demo-port'
/** Nothing listens there (“discard”, RFC 863). */
const NO_PORT = 9

const NOT_RUNNING = { endpoint: `http://127.0.0.1:${NO_PORT}`, movedAside: null, close: () => Promise.resolve() }

export interface DemoHost {
  readonly place: Place
  readonly connection: StoreConnection
  /** Why it could not be opened; null: it runs. The other places work without it. */
  readonly problem: unknown
  /** The folder that contents were moved to which its journal doesn't explain; null when there were none. */
  readonly movedAside: string | null
  close(): Promise<void>
}

/**
 * Runs the demo store inside the app and says how to reach it. Its port is kept, for links to it; its keys are made
 * anew at each start and never written, because only this app needs them. `isOff`: it is a place that nobody runs.
 */
export async function hostDemoStore(values: NamedValues, directory: string, isOff = false): Promise<DemoHost> {
  const credentials = { accessKeyId: `DEMO${hex(8).toUpperCase()}`, secretAccessKey: hex(20) }
  const start = (port: number) => startDemoStore({ directory, buckets: [BUCKET], credentials, port })
  const keptPort = await values.read(PORT, z.int().min(1024).max(65_535))
  const startAnywhere = () =>
    start(keptPort ?? 0)
      .catch((error: unknown) => {
        if (isPortTaken(error)) return start(0)
        throw error
      })
      .catch((problem: unknown) => ({ ...NOT_RUNNING, problem }))
  const running = isOff ? NOT_RUNNING : await startAnywhere()
  const problem = 'problem' in running ? running.problem : null
  const port = Number(new URL(running.endpoint).port)
  if (!isOff && problem === null && port !== keptPort) await values.write(PORT, port)
  const { accessKeyId } = credentials
  const address = {
    endpoint: running.endpoint,
    bucket: BUCKET,
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: 'hmac-sha1',
    region: '',
  } as const
  return {
    place: {
      ...{ id: DEMO_PLACE_ID, name: 'Demo store', ...address, accessKeyId },
      ...{ profile: '', preset: 'storage', color: 'none', isDemo: true },
    },
    connection: { ...address, credentials },
    problem,
    movedAside: running.movedAside,
    close: () => running.close(),
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
