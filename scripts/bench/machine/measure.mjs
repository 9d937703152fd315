import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { capture } from '../../lib/child.mjs'

/**
 * GNU time asks the system what a program and all its children used, exact at their end; null where it is missing, and
 * then CPU time and memory are not told.
 */
export async function findTimer() {
  for (const program of ['/usr/bin/time', 'gtime']) {
    const { output } = await capture(program, ['--version'])
    if (output.includes('GNU')) return program
  }
  return null
}

/** Leaders of the process groups under way: they would outlive this process. */
const running = new Set()
process.once('exit', () => running.forEach(killGroup))

/** Starts a command in a process group of its own. `ended` resolves with its wall seconds, status and what it said. */
export function start({ argv, env = {} }) {
  const startedMs = performance.now()
  const child = spawn(argv[0], argv.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child.pid)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2000)))
  }
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ seconds: Number.NaN, status: 127, said: error.message }))
    child.once('close', (code, signal) => {
      running.delete(child.pid)
      const status = code ?? 128 + constants.signals[signal]
      resolve({ seconds: (performance.now() - startedMs) / 1000, status, said })
    })
  })
  return { ended, kill: () => killGroup(child.pid) }
}

/**
 * Runs a command to its end: wall seconds, CPU seconds of all its processes, the peak memory of the biggest of them.
 * After `limitSeconds` it is ended and `isCut`.
 */
export async function measure(timer, command, reportFile, limitSeconds) {
  const argv = timer === null ? command.argv : [timer, '-q', '-o', reportFile, '-f', '%U %S %M', ...command.argv]
  const run = start({ ...command, argv })
  let isCut = false
  const clock = setTimeout(() => {
    isCut = true
    run.kill()
  }, limitSeconds * 1000)
  const { seconds, status, said } = await run.ended
  clearTimeout(clock)
  const isTold = timer !== null && !isCut
  const [user, system, peakKib] = isTold ? (await readFile(reportFile, 'utf8')).trim().split(' ') : []
  return {
    seconds,
    status,
    said,
    isCut,
    cpuSeconds: Number(user) + Number(system),
    peakBytes: Number(peakKib) * 1024,
  }
}

/** Every other round backwards: what a run leaves behind (heat, a full page cache) meets each client as often. */
export function inTurn(rows, round) {
  return round % 2 === 0 ? rows : rows.toReversed()
}

function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
