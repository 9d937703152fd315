import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import type { CliResult } from '../../support/tools/run-cli.ts'

const CLI = fileURLToPath(new URL('../../../out/cli.js', import.meta.url))
const { SLUICE_WINE, SLUICE_WINDOWS_NODE, SLUICE_WINDOWS_MODULES, SLUICE_NO_WINE } = process.env

/** Why there is no Windows here; undefined where there is (scripts/wine/windows-node.mjs sets the variables). */
export const noWindows = SLUICE_WINE === undefined ? (SLUICE_NO_WINE ?? 'npm test -- --wine runs them') : undefined

/** Paths, on this system, of the program that runs Windows' own, and of Windows' Node. */
export const WINDOWS = { wine: SLUICE_WINE ?? '', node: SLUICE_WINDOWS_NODE ?? '' }

/** The built command line on Windows' own Node, against an embedded store of this system. */
export interface WindowsWorld extends Pick<CliWorld, 'proxy' | 'stateFolder' | 'path'> {
  /** The path of a file of the test's folder, as Windows has it. */
  windowsPath(name: string): string
  run(...argv: readonly string[]): Promise<CliResult>
  /** The same command line on this system, which starts sooner. */
  runHere(...argv: readonly string[]): Promise<CliResult>
  start(...argv: readonly string[]): Promise<{ readonly process: ChildProcess; readonly ended: Promise<CliResult> }>
}

export async function createWindowsWorld(): Promise<WindowsWorld> {
  const world = await createCliWorld()
  const environment = {
    ...process.env,
    ...world.environment,
    SLUICE_STATE_DIR: toWindows(world.stateFolder),
    NODE_PATH: toWindows(SLUICE_WINDOWS_MODULES ?? ''),
  }
  let runs = 0

  async function start(...argv: readonly string[]): ReturnType<WindowsWorld['start']> {
    runs += 1
    const paths = [world.path(`../stdout-${runs}`), world.path(`../stderr-${runs}`)] as const
    // Windows' Node can't print into a pipe of Wine's.
    const files = await Promise.all(paths.map((path) => open(path, 'w')))
    const child = spawn(WINDOWS.wine, [WINDOWS.node, toWindows(CLI), ...argv, '--json'], {
      env: environment,
      stdio: ['ignore', ...files.map(({ fd }) => fd)],
    })
    await Promise.all(files.map((file) => file.close()))
    return { process: child, ended: endOf(child, paths) }
  }

  async function run(...argv: readonly string[]): Promise<CliResult> {
    const result = await (await start(...argv)).ended
    return couldNotStart(result) ? (await start(...argv)).ended : result
  }

  return {
    ...world,
    windowsPath: (name) => toWindows(world.path(name)),
    start,
    runHere: world.run,
    run,
  }
}

/** Wine's server ends some seconds after its last program, and drops a program that starts at that moment. */
function couldNotStart({ lines, stderr }: CliResult): boolean {
  return lines.length === 0 && stderr.startsWith('wine client error:')
}

/** Wine shows the whole file system as drive Z. */
export function toWindows(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`
}

async function endOf(child: ChildProcess, [stdoutPath, stderrPath]: readonly [string, string]): Promise<CliResult> {
  await once(child, 'close')
  const [stdout, stderr] = await Promise.all([readFile(stdoutPath, 'utf8'), readFile(stderrPath, 'utf8')])
  // What was killed may have left half a line.
  const complete = stdout.split('\n').slice(0, -1)
  return {
    status: child.exitCode,
    signal: child.signalCode,
    lines: complete.map((line) => JSON.parse(line) as Record<string, unknown>),
    told: [],
    stderr,
  }
}
