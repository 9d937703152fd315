import { performance } from 'node:perf_hooks'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** How often the line is sampled. */
const LOOK_MS = 500

/**
 * Runs a command on a line, samples the line twice a second, and keeps what the command reports about itself.
 * @param stopAt ends it earlier: { afterSeconds, signal }.
 * @returns samples { atSeconds, up, down (bytes since the start), connections, accepted, neighbor }, and said
 *   { atSeconds, and the members of a line of JSON }.
 */
export async function follow(line, { argv, env = {} }, { limitSeconds, stopAt = null }) {
  const first = await line.look()
  const startedMs = performance.now()
  const now = () => (performance.now() - startedMs) / 1000
  const words = [...line.argvPrefix, ...argv]
  const child = spawn(words[0], words.slice(1), { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = []
  let rest = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const each of lines) said.push({ atSeconds: now(), ...parsed(each) })
  })
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint = (complaint + text).slice(-2000)))
  let isCut = false
  const samples = []
  const sample = async () => {
    const { up, down, ...others } = await line.look()
    samples.push({ ...others, atSeconds: now(), up: up - first.up, down: down - first.down })
  }
  const timers = [
    setInterval(() => void sample().catch(() => undefined), LOOK_MS),
    setTimeout(() => {
      isCut = true
      child.kill('SIGKILL')
    }, limitSeconds * 1000),
    stopAt && setTimeout(() => child.kill(stopAt.signal), stopAt.afterSeconds * 1000),
  ]
  const [code, signal] = await once(child, 'close')
  const seconds = now()
  for (const timer of timers) clearTimeout(timer)
  await sample()
  const status = code ?? 128 + constants.signals[signal]
  return { seconds, status, isCut, isStopped: stopAt !== null && signal !== null, complaint, samples, said }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
