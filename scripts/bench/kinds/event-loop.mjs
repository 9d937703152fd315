import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { say } from '../../lib/say.mjs'
import { APP_SCENES } from './app-scenes.mjs'
import { CLIENTS } from '../clients/clients.mjs'
import { ofSources, withWindows } from '../machine/app.mjs'
import { measure } from '../machine/measure.mjs'
import { fileCommand } from './transfers.mjs'

/**
 * How free the main thread stays while a big file arrives at full speed: in the command line, then in the real app with
 * its window open, which has more to do.
 */
export async function measureLoop(world, scenario) {
  const source = await world.source(scenario.sizeBytes)
  const rows = [await inCommandLine(world, scenario, source)]
  const electron = await withWindows(async () => {
    for (const scene of APP_SCENES) {
      if (scene.isThere?.(world) === false) continue
      rows.push(await inApp(world, scenario, scene))
      const { p99Ms, failure } = rows.at(-1).runs[0]
      say(`${scenario.name}  ${scene.label}: ${failure ?? `p99 ${p99Ms.toFixed(1)} ms`}`)
    }
  })
  if (electron === null) return { rows, absent: [{ name: 'app', why: 'there is no Electron' }] }
  return { rows, absent: [], electron }
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

async function inApp(world, { sizeBytes }, scene) {
  const scratch = await world.scratch()
  const { launchSluice, choosePaths } = await ofSources('test', 'support', 'window', 'electron-app.ts')
  const { dropFiles } = await ofSources('test', 'support', 'window', 'drop-files.ts')
  const sluice = await launchSluice({ userDataDir: join(scratch.path, 'user-data') })
  const { app, page, close } = sluice
  const folder = join(scratch.path, 'downloads')
  await mkdir(folder)
  await choosePaths(sluice, folder)
  const done = () => page.evaluate(untilFinal)
  const upload = async (placeId, paths) => {
    await choosePaths(sluice, ...paths)
    await page.evaluate(enqueueUploads, { placeId, prefix: '', paths, onConflict: 'replace' })
    return done()
  }
  const drop = (paths) => dropFiles(page, paths)
  try {
    const idleBytes = await memoryOf(app)
    await app.evaluate(startMonitor)
    const startedMs = performance.now()
    const failure = await scene.run({ world, page, folder, sizeBytes, done, upload, drop })
    const seconds = (performance.now() - startedMs) / 1000
    const { loop, cpuSeconds, memoryBytes } = await app.evaluate(readMonitor)
    return { label: scene.label, runs: [{ seconds, cpuSeconds, ...loop, peakBytes: memoryBytes, idleBytes, failure }] }
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
  const watch = { delay, peakBytes: 0, cpu: process.cpuUsage() }
  watch.timer = setInterval(() => (watch.peakBytes = Math.max(watch.peakBytes, process.memoryUsage().rss)), 50)
  globalThis.sluiceBench = watch
  delay.enable()
}

/** Runs in the main process. */
function readMonitor() {
  const { delay, timer, peakBytes, cpu } = globalThis.sluiceBench
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  clearInterval(timer)
  const loop = { p50Ms: delay.percentile(50) / 1e6, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 }
  return { loop, cpuSeconds: (user + system) / 1e6, memoryBytes: peakBytes }
}

/** Runs in the window. */
async function enqueueUploads(request) {
  const reply = await globalThis.sluice.invoke('uploads:enqueue', request)
  if (!reply.ok) throw new Error(JSON.stringify(reply))
}

/** Runs in the window and waits until every row is final. Resolves with what failed, or null. */
async function untilFinal() {
  for (;;) {
    const { rows } = (await globalThis.sluice.invoke('queue:snapshot', null)).value
    const final = rows.filter(({ status }) => ['completed', 'failed', 'canceled'].includes(status))
    const failed = final.filter(({ status }) => status !== 'completed')
    if (failed.length > 0) return `${failed.length} failed`
    if (rows.length > 0 && final.length === rows.length) return null
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
