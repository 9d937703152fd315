import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { capture } from '../../lib/child.mjs'

/**
 * Finds GNU time, which gets from the system exactly what a program and all its children used. Null if it is missing;
 * then CPU time and memory are not reported.
 */
export async function findTimer() {
  for (const program of ['/usr/bin/time', 'gtime']) {
    const { output } = await capture(program, ['--version'])
    if (output.includes('GNU')) return program
  }
  return null
}

/** The leaders of the running process groups, which would outlive this process. */
const running = new Set()
process.once('exit', () => running.forEach(killGroup))

/** Starts a command in its own process group. `ended` resolves with its wall seconds, status and what it printed. */
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
 * Runs a command to its end and measures wall seconds, CPU seconds of all its processes, and the peak memory of the
 * biggest one. After `limitSeconds` it is killed, and `isCut` is true.
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

/** Reverses every other round, so that what a run leaves behind (heat, a full page cache) affects all clients alike. */
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
