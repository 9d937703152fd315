import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { withDisplay } from '../lib/display.mjs'
import { ensureElectron } from '../lib/electron.mjs'
import { inRoot } from '../lib/paths.mjs'
import { CLIENTS } from './clients.mjs'
import { measure } from './measure.mjs'
import { sha256Of } from './sources.mjs'
import { fileCommand } from './transfers.mjs'

/** How free the main thread stays while a big file arrives at full speed: in the command line, then in the real app. */
export async function measureLoop(world, scenario) {
  const source = await world.source(scenario.sizeBytes)
  const rows = [await inCommandLine(world, scenario, source)]
  const electron = await ensureElectron().catch(() => null)
  if (electron === null) return { rows, absent: [{ name: 'app', why: 'there is no Electron' }] }
  rows.push(await withDisplay((env) => inApp(world, scenario, source, electron, env)))
  return { rows, absent: [] }
}

async function inCommandLine(world, scenario, source) {
  const scratch = await world.scratch()
  const command = await fileCommand(world, scenario, CLIENTS[0], source, null, scratch)
  const reportFile = join(scratch.path, 'loop.json')
  const monitor = new URL('loop-monitor.mjs', import.meta.url)
  const env = { ...command.env, NODE_OPTIONS: `--import=${monitor.href}`, SLUICE_LOOP_REPORT: reportFile }
  const run = await measure(world.timer, { ...command, env }, join(scratch.path, 'time'), 120)
  const loop = JSON.parse(await readFile(reportFile, 'utf8'))
  await scratch.remove()
  return { label: 'command line', runs: [{ ...run, ...loop, failure: run.status === 0 ? null : run.said }] }
}

async function inApp(world, scenario, source, electron, env) {
  const scratch = await world.scratch()
  process.env.ELECTRON_OVERRIDE_DIST_PATH = electron.folder
  Object.assign(process.env, env.DISPLAY ? { DISPLAY: env.DISPLAY } : {})
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport(inRoot('test', 'support', 'window', 'electron-app.ts'), { logLevel: 'error' })
  const { app, page, close } = await module.launchSluice({ userDataDir: join(scratch.path, 'user-data') })
  try {
    const directory = join(scratch.path, 'downloads')
    await mkdir(directory)
    const idleBytes = await memoryOf(app)
    await app.evaluate(startMonitor)
    const startedMs = performance.now()
    const url = world.server[scenario.scheme] + source.path
    const row = await page.evaluate(downloadInWindow, { url, directory })
    const seconds = (performance.now() - startedMs) / 1000
    const { loop, memoryBytes } = await app.evaluate(readMonitor)
    const isRight = (await sha256Of(join(directory, source.path.split('/').at(-1)))) === source.sha256
    const failure = isRight ? null : `what arrived is not the source (${row.status})`
    return { label: 'app, window open', runs: [{ seconds, ...loop, peakBytes: memoryBytes, idleBytes, failure }] }
  } finally {
    await close()
    await scratch.remove()
  }
}

async function memoryOf(app) {
  return app.evaluate(() => process.memoryUsage().rss)
}

/** Runs in the main process. */
function startMonitor() {
  const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const watch = { delay, peakBytes: 0 }
  watch.timer = setInterval(() => (watch.peakBytes = Math.max(watch.peakBytes, process.memoryUsage().rss)), 50)
  globalThis.sluiceBench = watch
  delay.enable()
}

/** Runs in the main process. */
function readMonitor() {
  const { delay, timer, peakBytes } = globalThis.sluiceBench
  delay.disable()
  clearInterval(timer)
  const loop = { p50Ms: delay.percentile(50) / 1e6, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 }
  return { loop, memoryBytes: peakBytes }
}

/** Runs in the window: what its own sheet does, then waits for the row to be final. */
async function downloadInWindow({ url, directory }) {
  const { invoke } = globalThis.sluice
  const source = { kind: 'links', urls: [url] }
  await invoke('downloads:enqueue', { source, directory, onConflict: 'keep-both' })
  for (;;) {
    const reply = await invoke('queue:snapshot', null)
    const row = reply.value.rows.find((each) => each.direction === 'download')
    if (row && ['completed', 'failed', 'canceled'].includes(row.status)) return row
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
