import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { runCli, startCli, type CliResult, type RunningCli } from '../tools/run-cli.ts'
import { tempDir } from '../tools/temp-dir.ts'

/** The command line against an embedded store behind a proxy, in a folder of its own. */
export interface CliWorld {
  readonly proxy: FaultProxy
  readonly stateFolder: string
  readonly environment: Readonly<Record<string, string>>
  /** Absolute path in the test's folder. */
  path(name: string): string
  run(...argv: readonly string[]): Promise<CliResult>
  start(...argv: readonly string[]): RunningCli
}

export async function createCliWorld(): Promise<CliWorld> {
  const folder = await tempDir()
  const work = join(folder, 'work')
  await mkdir(work)
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['demo'], credentials: null })
  const proxy = await startFaultProxy({ target: store.endpoint })
  onTestFinished(async () => {
    await proxy.close()
    await store.close()
  })
  const stateFolder = join(folder, 'state')
  const environment = {
    SLUICE_ENDPOINT: proxy.endpoint,
    SLUICE_BUCKET: 'demo',
    SLUICE_STATE_DIR: stateFolder,
  }
  return {
    proxy,
    stateFolder,
    environment,
    path: (name) => join(work, name),
    run: (...argv) => runCli(argv, environment),
    start: (...argv) => startCli(argv, environment),
  }
}
