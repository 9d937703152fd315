import { setTimeout as sleep } from 'node:timers/promises'
import type { IpcReply, IpcRequest, IpcRequestName, IpcResponse } from '../../shared/ipc/ipc-contract.ts'
import type { NewPlace } from '../../shared/place/place.ts'
import { isFinal, type TransferRow } from '../../shared/transfer/transfer.ts'
import { refusalWords } from '../../shared/transfer/words/error-words.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from '../support/window/electron-app.ts'
import { count, isLeftToPerson, type Decisions } from './decisions.ts'
import { followClock } from './shifted-clock.mjs'

/** A person at the window, who opens it again when it was killed. */
export interface SoakedApp {
  readonly name: string
  readonly placeId: () => string
  /** Drops these on its window, so that the page may name them. */
  choose(...paths: readonly string[]): Promise<void>
  /** Asks main, as the page does. Throws where it refuses. */
  ask<Name extends IpcRequestName>(name: Name, request: IpcRequest<Name>): Promise<IpcResponse<Name>>
  /** Asks again, as a person presses the button again, while a service in its storm doesn't respond. */
  askUntilAnswered<Name extends IpcRequestName>(name: Name, request: IpcRequest<Name>): Promise<IpcResponse<Name>>
  /** Resolves once every row is done. Throws where one failed of what `isLeftToPerson` doesn't name. */
  idle(): Promise<void>
  /** `kill -9` and a new start; false: one is under way, or rows are being asked for. */
  kill(): Promise<boolean>
  /** Resident memory of its processes by their type, and the page's heap, bytes; after garbage was collected. */
  memory(): Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

export interface SoakedAppParts {
  readonly name: string
  readonly userDataDir: string
  readonly place: NewPlace
  /** See `followClock`. */
  readonly clockFile: string
  readonly limitBytesPerSecond: number
  readonly decisions: Decisions
}

const LOOK_MS = 500

/** Whether a refusal says that the service can't be reached, or is busy, for now. */
export function isOutage(words: string): boolean {
  return /(isn’t responding|Is the service running\?|A firewall may be in the way|Try again later)\.?$/.test(words)
}

export async function openSoakedApp(parts: SoakedAppParts): Promise<SoakedApp> {
  const { name, place } = parts
  let sluice = await launch(parts)
  const added = await invoke(sluice, 'places:add', place)
  await invoke(sluice, 'settings:set', { limitBytesPerSecond: parts.limitBytesPerSecond })
  let asking = 0
  let opening: Promise<void> | null = null

  async function ask<Name extends IpcRequestName>(request: Name, payload: IpcRequest<Name>) {
    await opening
    asking += 1
    try {
      return await invoke(sluice, request, payload)
    } finally {
      asking -= 1
    }
  }

  async function decide({ id, direction, key, error }: TransferRow): Promise<void> {
    const code = error?.code
    if (!isLeftToPerson(code)) throw new Error(`${name}: ${direction} of ${key} failed: ${JSON.stringify(error)}`)
    count(parts.decisions, code)
    if (code === 'earlier-upload') await ask('uploads:decide', { id, uploadId: null })
    else await ask('transfers:start-over', { ids: [id] })
  }

  async function reopen(): Promise<void> {
    await sluice.kill()
    sluice = await launch(parts)
    // Without a keyring the secret was kept in memory only.
    await invoke(sluice, 'places:edit', { id: added.id, place })
  }

  return {
    name,
    placeId: () => added.id,
    ask,
    async choose(...paths) {
      await opening
      await choosePaths(sluice, ...paths)
    },
    async askUntilAnswered(request, payload) {
      for (;;) {
        try {
          return await ask(request, payload)
        } catch (failure) {
          if (!(failure instanceof Error && isOutage(failure.message))) throw failure
          await sleep(LOOK_MS)
        }
      }
    },
    async idle() {
      for (;;) {
        const { rows } = await ask('queue:snapshot', null)
        for (const row of rows.filter(({ status }) => status === 'failed')) await decide(row)
        if (rows.every(({ status }) => isFinal(status))) return
        await sleep(LOOK_MS)
      }
    },
    async kill() {
      if (opening !== null || asking > 0) return false
      opening = reopen().finally(() => (opening = null))
      await opening
      return true
    },
    async memory() {
      const heap = await collectGarbage(sluice)
      const metrics = await sluice.app.evaluate(({ app }) =>
        app.getAppMetrics().map(({ type, memory }) => ({ type, bytes: memory.workingSetSize * 1024 })),
      )
      const sums: Record<string, number> = { 'heap of the page': heap }
      for (const { type, bytes } of metrics) sums[type] = (sums[type] ?? 0) + bytes
      return sums
    },
    async close() {
      await opening
      await sluice.close()
    },
  }
}

/** In the page and in main: what waits to be collected is no growth. @returns the page's heap after it, bytes. */
async function collectGarbage({ app, page }: LaunchedSluice): Promise<number> {
  await app.evaluate(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc')
    const gc = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
    gc()
  })
  const devTools = await page.context().newCDPSession(page)
  try {
    await devTools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devTools.send('Runtime.getHeapUsage')
    return usedSize
  } finally {
    await devTools.detach()
  }
}

async function launch({ userDataDir, clockFile }: SoakedAppParts): Promise<LaunchedSluice> {
  const sluice = await launchSluice({ userDataDir })
  await sluice.app.evaluate(followClock, clockFile)
  return sluice
}

async function invoke<Name extends IpcRequestName>(
  { page }: LaunchedSluice,
  name: Name,
  payload: IpcRequest<Name>,
): Promise<IpcResponse<Name>> {
  const reply = (await page.evaluate(
    ([request, given]) => window.sluice.invoke(request, given as never) as Promise<unknown>,
    [name, payload] as const,
  )) as IpcReply<Name>
  if (!reply.ok) throw new Error(`${name} was refused: ${refusalWords(reply.error.message)}`)
  return reply.value
}
