import { expect, it, onTestFinished, vi } from 'vitest'
import { bestPeer, median, summarize } from '../../scripts/bench/figures.mjs'
import { runScenario } from '../../scripts/bench/run-scenario.mjs'
import { SCENARIOS } from '../../scripts/bench/scenarios.mjs'
import { toMarkdown } from '../../scripts/bench/table.mjs'
import { createWorld } from '../../scripts/bench/world.mjs'

it(
  'measures Sluice on a machine that has no peer and no nginx, and says what is missing',
  { timeout: 120_000 },
  async () => {
    vi.stubEnv('PATH', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const world = await createWorld()
    onTestFinished(() => world.close())
    const results = []
    for (const scenario of SCENARIOS.filter(({ name }) => ['plain', 'tls', 'small', 'kill'].includes(name))) {
      results.push(await runScenario(world, scenario, { rounds: 1, sizeMiB: 1 }))
    }
    const lines = toMarkdown(results, '').split('\n')
    const missing = 'curl: not installed; aria2c: not installed; rclone: not installed'
    expect(lines.filter((line) => line.startsWith(`Not measured: ${missing}`))).toHaveLength(3)
    expect(lines).toContain('Not measured: all: there is no openssl to make a certificate.')
    const rows = lines.filter((line) => line.startsWith('| sluice |'))
    // The last two columns: runs whose bytes were right, and failures.
    expect(rows.map((row) => row.split(' | ').slice(-2).join())).toEqual(['1, |', '1, |', '1, |'])
  },
)

it('takes the middle of the runs that succeeded, and tells of the others', () => {
  const good = [3, 1, 2].map((seconds) => ({ seconds, cpuSeconds: seconds / 10, peakBytes: seconds, failure: null }))
  const bad = { seconds: 0.1, failure: 'ended with 7' }
  const row = summarize({ name: 'aria2c', label: 'aria2c -x16', runs: [...good, bad] })
  expect(row).toMatchObject({ runs: 3, seconds: 2, cpuSeconds: 0.2, peakBytes: 3, failure: '1 of 4: ended with 7' })
  expect(median([])).toBeNaN()
})

it('finds the best peer among those that have a figure, or the one that a target names', () => {
  const rows = [
    { name: 'sluice', isOurs: true, seconds: 1 },
    { name: 'curl', isOurs: false, seconds: 3 },
    { name: 'wget', isOurs: false, seconds: Number.NaN },
    { name: 'aria2c', isOurs: false, seconds: 2 },
  ]
  expect(bestPeer(rows, 'seconds')).toMatchObject({ name: 'aria2c' })
  expect(bestPeer(rows, 'seconds', 'curl')).toMatchObject({ name: 'curl' })
  expect(bestPeer(rows, 'seconds', 'rclone')).toBeNull()
})
