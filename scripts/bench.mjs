// Measures transfers of one big file beside curl, on this machine, in one run: `npm run bench [-- <MiB>]`.
// Ratios count; absolute figures are this machine's. Prints a Markdown table.
import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { inRoot } from './lib/paths.mjs'

const MIB = 1024 * 1024
const ROUNDS = 3
const CLI = inRoot('out', 'cli.js')

await ensureDependencies()
await ensureCompiled()
const sizeBytes = Number(process.argv[2] ?? 2048) * MIB
const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
try {
  await bench()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function bench() {
  const source = join(folder, 'source.bin')
  const digest = await writeSource(source)
  const server = await serve()
  const url = `${server.endpoint}/demo/by-curl`
  const connection = {
    SLUICE_ENDPOINT: server.endpoint,
    SLUICE_BUCKET: 'demo',
    SLUICE_STATE_DIR: join(folder, 'state'),
  }
  const copy = join(folder, 'copy.bin')
  const sluice = (...argv) => [process.execPath, [CLI, ...argv], { ...process.env, ...connection }]
  const curl = (...argv) => ['curl', ['-fsS', ...argv], process.env]
  const scenarios = [
    ['copy of the file', ['cp', [source, copy], process.env], copy],
    ['upload, curl (one PUT)', curl('-T', source, url), null],
    ['upload, sluice put', sluice('put', source, 'by-sluice'), null],
    ['download, curl', curl('-o', copy, url), copy],
    ['download, sluice get', sluice('get', 'by-curl', copy), copy],
  ]
  const results = new Map(scenarios.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, command, output] of scenarios) {
      if (name.includes('sluice put')) await measure(...sluiceDelete(server.endpoint))
      if (output !== null) await rm(output, { force: true })
      results.get(name).push(await measure(...command))
      if (output !== null && (await sha256Of(output)) !== digest) throw new Error(`${name}: the copy differs`)
    }
  }
  server.process.kill('SIGTERM')
  print(results)
}

function sluiceDelete(endpoint) {
  return ['curl', ['-fsS', '-X', 'DELETE', `${endpoint}/demo/by-sluice`], process.env]
}

async function writeSource(path) {
  const hash = createHash('sha256')
  async function* blocks() {
    for (let left = sizeBytes; left > 0; left -= 4 * MIB) {
      const block = randomBytes(Math.min(4 * MIB, left))
      hash.update(block)
      yield block
    }
  }
  await pipeline(blocks(), createWriteStream(path))
  return hash.digest('hex')
}

async function sha256Of(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 4 * MIB }), hash)
  return hash.digest('hex')
}

async function serve() {
  const child = spawn(process.execPath, [CLI, 'serve', '--dir', join(folder, 'store'), '--anonymous', '--json'])
  child.stderr.pipe(process.stderr)
  const [line] = await new Promise((resolve) => child.stdout.once('data', (bytes) => resolve([String(bytes)])))
  return { process: child, endpoint: JSON.parse(line).endpoint }
}

/** Runs one command to its end: wall seconds, CPU seconds and peak memory, the last two where /proc tells. */
async function measure(command, argv, env) {
  const startedAt = performance.now()
  const child = spawn(command, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  let usage = { cpuSeconds: Number.NaN, peakBytes: Number.NaN }
  const timer = setInterval(() => (usage = usageOf(child.pid) ?? usage), 20)
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearInterval(timer)
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} ended with ${status}`)
  return { seconds: (performance.now() - startedAt) / 1000, ...usage }
}

function usageOf(pid) {
  if (!existsSync(`/proc/${pid}/stat`)) return null
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    // A process that has ended but is not waited for yet has no memory left to tell of.
    if (peak === null) return null
    const ticksPerSecond = 100
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      peakBytes: Number(peak[1]) * 1024,
    }
  } catch {
    return null
  }
}

function print(results) {
  const gib = sizeBytes / 1024 ** 3
  console.log(`${sizeBytes / MIB} MiB, loopback, ${cpus().length} × ${cpus()[0].model}, Node ${process.version}`)
  console.log('\n| Scenario | seconds | MB/s | CPU s / GiB | peak MiB |\n|---|---|---|---|---|')
  for (const [name, runs] of results) {
    const median = (pick) => runs.map(pick).sort((one, other) => one - other)[Math.floor(runs.length / 2)]
    const seconds = median((run) => run.seconds)
    const columns = [
      seconds.toFixed(2),
      (sizeBytes / 1e6 / seconds).toFixed(0),
      (median((run) => run.cpuSeconds) / gib).toFixed(2),
      (median((run) => run.peakBytes) / MIB).toFixed(0),
    ]
    console.log(`| ${name} | ${columns.join(' | ')} |`)
  }
}
