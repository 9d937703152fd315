import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { inRoot } from '../../lib/paths.mjs'
import { startDemoTarget, through } from '../servers/upload-target.mjs'

/**
 * Memory of the whole engine while `count` uploads are active behind a line that keeps them all busy, beyond what it
 * takes when idle. Both are the resident set of a process that runs the engine without a window.
 */
export async function measureUploadMemory(world, { count, sizeBytes }) {
  const scratch = await world.scratch()
  const target = await startDemoTarget(scratch.path)
  const port = Number(new URL(target.endpoint).port)
  const proxy = await world.proxy({ targetPort: port, delayMs: 20, totalBytesPerSecond: 100_000_000 })
  try {
    const source = await world.source(sizeBytes)
    const settings = { target: through(target, proxy), source: source.localPath, count, folder: scratch.path }
    const startedMs = performance.now()
    const reportFile = join(scratch.path, 'memory.json')
    const child = spawn(
      process.execPath,
      [inRoot('scripts', 'bench', 'kinds', 'upload-crowd.mjs'), JSON.stringify({ ...settings, reportFile })],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    const status = await new Promise((resolve) => child.once('exit', resolve))
    const seconds = (performance.now() - startedMs) / 1000
    const report = status === 0 ? JSON.parse(await readFile(reportFile, 'utf8')) : {}
    const failure = status === 0 ? (report.failure ?? null) : `ended with ${status}`
    return {
      rows: [{ name: 'sluice', isOurs: true, label: 'engine', runs: [{ ...report, seconds, failure }] }],
      absent: [],
    }
  } finally {
    await proxy.close()
    await target.close()
    await scratch.remove()
  }
}
