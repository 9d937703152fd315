import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SILENCE = /^.* has not answered yet\. Waiting…\n/gm
const CLI = fileURLToPath(new URL('../../../out/cli.js', import.meta.url))

/**
 * Whether a process can ask another one to end. Windows has no signals: there any of them ends the process at once, and
 * Ctrl+C comes from the console.
 */
export const hasSignals = process.platform !== 'win32'

/**
 * How a command line ended. What it says of a server that is silent for a moment is left out: those of this process are
 * whenever it stands still.
 */
export interface CliResult {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** The JSON objects it printed, in order. */
  readonly lines: readonly Record<string, unknown>[]
  /** Those that a list told on standard error: what it waited for. */
  readonly told: readonly Record<string, unknown>[]
  /** The rest of standard error. */
  readonly stderr: string
}

/** A command line under way, run by plain Node from the build with `--json`. */
export interface RunningCli {
  readonly process: ChildProcess
  readonly ended: Promise<CliResult>
}

/** Starts `sluice <argv> --json`. `environment` names the connection as SLUICE_… variables. */
export function startCli(argv: readonly string[], environment: Readonly<Record<string, string>>): RunningCli {
  const child = spawn(process.execPath, [CLI, ...argv, '--json'], { env: { ...inherited(), ...environment } })
  return { process: child, ended: resultOf(child) }
}

export async function runCli(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CliResult> {
  return startCli(argv, environment).ended
}

/** The same in a process that may have no more than so many descriptors. Not on Windows, which has no such limit. */
export async function runWithFewDescriptors(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  descriptors: number,
): Promise<CliResult> {
  const line = `ulimit -n ${String(descriptors)}; exec "$@"`
  const child = spawn('sh', ['-c', line, 'sh', process.execPath, CLI, ...argv, '--json'], {
    env: { ...inherited(), ...environment },
  })
  return resultOf(child)
}

/** The same in words, without `--json`. */
export async function runText(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  { cwd = process.cwd(), stdout = 'pipe' }: { readonly cwd?: string; readonly stdout?: number | 'pipe' } = {},
): Promise<Omit<CliResult, 'lines' | 'told'> & { readonly stdout: string }> {
  const child = spawn(process.execPath, [CLI, ...argv], {
    cwd,
    stdio: ['pipe', stdout, 'pipe'],
    env: { ...inherited(), ...environment },
  })
  return endOf(child)
}

/** What a person has set for commands of their own, as the README says, is not meant for tests. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SLUICE|AWS)_/.test(name)))
}

async function resultOf(child: ChildProcess): Promise<CliResult> {
  const { stdout, stderr, ...end } = await endOf(child)
  const told = stderr.match(OBJECT)?.join('') ?? ''
  return { ...end, lines: objectsOf(stdout), told: objectsOf(told), stderr: stderr.replace(OBJECT, '') }
}

const OBJECT = /^\{.*\n/gm

/** The JSON objects on these lines, without those of a host that has not answered yet. */
function objectsOf(text: string): readonly Record<string, unknown>[] {
  const objects = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return objects.filter(({ event, code }) => event !== 'waiting' || code !== 'no-answer')
}

async function endOf(child: ChildProcess): Promise<Omit<CliResult, 'lines' | 'told'> & { readonly stdout: string }> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  if (/^\(node:\d+\) /m.test(stderr)) throw new Error(`A warning of Node’s reaches a person: ${stderr}`)
  return { status: child.exitCode, signal: child.signalCode, stdout, stderr: stderr.replace(SILENCE, '') }
}
