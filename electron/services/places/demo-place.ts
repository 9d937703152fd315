// The demo store as a place of the app: started with it, on loopback, and kept running.

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
/** Nothing listens there (“discard”, RFC 863). */
const NO_PORT = 9
/** The system chooses one that is free. */
const ANY_PORT = 0

/** It is started again up to so many times within so long, milliseconds; then it stays off. */
const MOST_ENDS = 2
const ENDS_WITHIN_MS = 60_000

const HOST = '127.0.0.1'
const NOT_RUNNING = { endpoint: endpointAt(NO_PORT), movedAside: null, close: () => Promise.resolve() }

/** How its start went. */
export interface DemoStart {
  /** Why it could not be opened; null: it runs. The other places work without it. */
  readonly problem: unknown
  /** The folder that contents were moved to which its journal doesn't explain; null when there were none. */
  readonly movedAside: string | null
}

export interface DemoHost {
  /** Named in the language of now. */
  readonly place: Place
  /** What is asked before it has started waits for that. */
  readonly connection: StoreConnection
  /** Never rejects. */
  readonly started: Promise<DemoStart>
  /** Calls `listener` whenever it runs again after it ended by itself. */
  onAgain(listener: () => void): void
  close(): Promise<void>
}

/** What a demo store needs of the app. */
export interface DemoHostDeps {
  readonly values: NamedValues
  /** What it serves. */
  readonly directory: string
  readonly clock: Pick<Clock, 'monotonicMs'>
  /**
   * Starts one. `onGone`: it ended without having been asked to. `beforeListen` is waited for, as by `startDemoStore`,
   * and never rejects. Throws as that does.
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
 * Runs the demo store for the app and says how to reach it. Its port is kept, for links to it; its keys are made
 * anew at each start and never written, because only this app needs them. Where it ends by itself it is started again
 * at the same address. `isOff`: it is a place that nobody runs.
 *
 * Its start is not waited for: a process takes longer than all else that a window needs.
 */
export async function hostDemoStore(deps: DemoHostDeps, isOff = false): Promise<DemoHost> {
  const { values, directory } = deps
  const credentials = { accessKeyId: `DEMO${hex(8).toUpperCase()}`, secretAccessKey: hex(20) }
  const keptPort = await values.read(PORT, z.int().min(1024).max(65_535))
  const listeners: (() => void)[] = []
  const onAgain = () => {
    for (const listener of listeners) listener()
  }
  // A port that somebody else has by now is left to them.
  const held = isOff ? null : ((await holdPort(keptPort ?? ANY_PORT)) ?? (await holdPort(ANY_PORT)))
  const { port, release } = held ?? { port: NO_PORT, release: () => Promise.resolve() }
  const started = isOff ? Promise.resolve({ ...NOT_RUNNING, problem: null }) : start()
  async function start(): Promise<RunningDemoStore & DemoStart> {
    // Where it can't be kept, links to it end with this start.
    const keepPort = () => values.write(PORT, port).catch(() => undefined)
    // The first is kept before anybody can reach it, for a kill may follow at once; another once it serves.
    if (keptPort === null && port !== NO_PORT) await keepPort()
    const served = { directory, buckets: [BUCKET], credentials, port }
    const running = await keepRunning(deps, served, release, onAgain)
      .catch((problem: unknown) => ({ ...NOT_RUNNING, problem }))
      // Where it did not come as far as that.
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
      // A name is not turned around like a text, whatever the language.
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
 * Starts a demo store, and again at the same port whenever it ends by itself, unless it does so again and again.
 * `beforeListen` is of the first start.
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
      // Requests don't wait for it now: one that found its port held could not tell whether it was served.
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

/** A port that nobody else can take before it is released, which may be done twice. */
interface HeldPort {
  readonly port: number
  readonly release: () => Promise<void>
}

/** Holds the port, or any that is free: its process may begin seconds later. Null: somebody listens there. */
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
