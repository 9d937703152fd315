// The demo store as a place: it starts with the app, on loopback, and is kept running.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { z } from 'zod'
import { message, type Message } from '../../../shared/language/message.ts'
import type { Place } from '../../../shared/place/place.ts'
import { currentLanguage } from '../../../shared/language/translate.ts'
import type { RunningDemoStore, ServedFolder } from '../../demo-store/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { StoreConnection } from '../../stores/index.ts'
import { DIRECT, type Network } from '../../stores/network/network.ts'
import type { NamedValues } from '../persistence/named-values.ts'

export const DEMO_PLACE_ID = 'demo'

const BUCKET = 'demo'
const PORT = 'demo-port'
/** A port that nothing listens on (“discard”, RFC 863). */
const NO_PORT = 9
/** Lets the system choose a free port. */
const ANY_PORT = 0

/** If the store ends by itself more than `MOST_ENDS` times within `ENDS_WITHIN_MS`, it is not started again. */
const MOST_ENDS = 2
const ENDS_WITHIN_MS = 60_000

const HOST = '127.0.0.1'
const NOT_RUNNING = { endpoint: endpointAt(NO_PORT), movedAside: null, close: () => Promise.resolve() }

/** How the demo store's start went. */
export interface DemoStart {
  /** Why the store could not be opened; null: it runs. The other places work without it. */
  readonly problem: unknown
  /** The folder to which contents were moved that the store's journal doesn't explain; null when there were none. */
  readonly movedAside: string | null
}

export interface DemoHost {
  /** Its name is in the current language. */
  readonly place: Place
  /** Requests made before the store has started wait for it. */
  readonly connection: StoreConnection
  /** Never rejects. */
  readonly started: Promise<DemoStart>
  /** Calls `listener` whenever the store runs again after it ended by itself. */
  onAgain(listener: () => void): void
  close(): Promise<void>
}

/** What the demo store needs from the app. */
export interface DemoHostDeps {
  readonly values: NamedValues
  /** The folder that the store serves. */
  readonly directory: string
  readonly clock: Pick<Clock, 'monotonicMs'>
  /**
   * Starts a demo store. Calls `onGone` if it ends without having been asked to. As in `startDemoStore`, it waits for
   * `beforeListen`, which never rejects, and throws the same errors.
   */
  readonly start: (
    options: ServedFolder,
    onGone: () => void,
    beforeListen: () => Promise<void>,
  ) => Promise<RunningDemoStore>
  /** Tells a person what happened. */
  readonly tell: (sentence: Message) => void
}

/**
 * Runs the demo store for the app and returns how to reach it. Its port is kept, so that links to it stay valid. Its
 * keys are new at each start and never written, because only this app needs them. If the store ends by itself, it is
 * started again at the same address. With `isOff` the place exists but nothing runs.
 *
 * Resolves before the store has started: starting a process takes longer than all else that a window needs.
 */
export async function hostDemoStore(deps: DemoHostDeps, isOff = false): Promise<DemoHost> {
  const { values, directory } = deps
  const credentials = { accessKeyId: `DEMO${hex(8).toUpperCase()}`, secretAccessKey: hex(20) }
  const keptPort = await values.read(PORT, z.int().min(1024).max(65_535))
  const listeners: (() => void)[] = []
  const onAgain = () => {
    for (const listener of listeners) listener()
  }
  // If another program has taken the kept port, any other port will do.
  const held = isOff ? null : ((await holdPort(keptPort ?? ANY_PORT)) ?? (await holdPort(ANY_PORT)))
  const { port, release } = held ?? { port: NO_PORT, release: () => Promise.resolve() }
  const started = isOff ? Promise.resolve({ ...NOT_RUNNING, problem: null }) : start()
  async function start(): Promise<RunningDemoStore & DemoStart> {
    // If the port can't be kept, links to the store work until the app ends.
    const keepPort = () => values.write(PORT, port).catch(() => undefined)
    // A first port is kept before the store can be reached, as a kill may follow at once; a changed one once it serves.
    if (keptPort === null && port !== NO_PORT) await keepPort()
    const served = { directory, buckets: [BUCKET], credentials, port }
    const running = await keepRunning(deps, served, release, onAgain)
      .catch((problem: unknown) => ({ ...NOT_RUNNING, problem }))
      // In case the start failed before it released the port.
      .finally(release)
    if ('problem' in running) return running
    if (keptPort !== null && port !== keptPort) await keepPort()
    return { ...running, problem: null }
  }
  const { accessKeyId } = credentials
  const address = {
    endpoint: endpointAt(port),
    bucket: BUCKET,
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: 'hmac-sha1',
    region: '',
  } as const
  return {
    get place(): Place {
      // Read straight from the catalog: a name is not mirrored, as other texts are in `ar-XB`.
      const name = currentLanguage().messages['services.demo.name']
      return {
        ...{ id: DEMO_PLACE_ID, name, ...address, accessKeyId },
        ...{ profile: '', preset: 'storage', color: 'none', isDemo: true },
      }
    },
    connection: { ...address, credentials, network: straightOnce(started) },
    started,
    onAgain: (listener) => void listeners.push(listener),
    close: async () => (await started).close(),
  }
}

/**
 * Starts a demo store, and restarts it on the same port whenever it ends by itself, unless that happens too often.
 * Only the first start calls `beforeListen`.
 */
async function keepRunning(
  { start, clock, tell }: DemoHostDeps,
  options: ServedFolder,
  beforeListen: () => Promise<void>,
  onAgain: () => void,
): Promise<RunningDemoStore> {
  let endsAtMs: readonly number[] = []
  let isClosing = false
  const first = await start(options, onGone, beforeListen)
  let current: Promise<RunningDemoStore> = Promise.resolve(first)

  function onGone(): void {
    if (isClosing) return
    const nowMs = clock.monotonicMs()
    endsAtMs = [...endsAtMs.filter((endMs) => nowMs - endMs < ENDS_WITHIN_MS), nowMs]
    if (endsAtMs.length > MOST_ENDS) return tell(message('services.demo.off'))
    current = again()
  }

  async function again(): Promise<RunningDemoStore> {
    try {
      // The port is not held this time. Requests no longer wait for the start, and one that reached a held port could
      // not tell whether it had been served.
      const running = await start(options, onGone, () => Promise.resolve())
      tell(message('services.demo.again'))
      onAgain()
      return running
    } catch {
      tell(message('services.demo.off'))
      return NOT_RUNNING
    }
  }

  return {
    ...first,
    close: async () => {
      isClosing = true
      await (await current).close()
    },
  }
}

function straightOnce(started: Promise<unknown>): Network {
  let isStarted = false
  void started.then(() => (isStarted = true))
  return { routeTo: (origin) => (isStarted ? DIRECT.routeTo(origin) : started.then(() => DIRECT.routeTo(origin))) }
}

function endpointAt(port: number): string {
  return `http://${HOST}:${port}`
}

/** A port that no other program can take until it is released. Releasing it twice is safe. */
interface HeldPort {
  readonly port: number
  readonly release: () => Promise<void>
}

/** Holds a port (or any free one), as the store's process may start seconds later. Null when the port is in use. */
async function holdPort(port: number): Promise<HeldPort | null> {
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    await once(server.listen(port, HOST), 'listening')
  } catch {
    return null
  }
  return {
    port: (server.address() as AddressInfo).port,
    release: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
