import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLinesWorld } from '../../scripts/bench/lines/world.mjs'
import { bestPeer, summarize } from '../../scripts/bench/report/figures.mjs'
import { compare, median, probability } from '../../scripts/bench/report/statistics.mjs'
import { runPlot } from '../../scripts/bench/report/run-plot.mjs'
import { runScenario } from '../../scripts/bench/run-scenario.mjs'
import { SCENARIOS } from '../../scripts/bench/scenarios.mjs'
import { toMarkdown } from '../../scripts/bench/report/table.mjs'
import { createWorld } from '../../scripts/bench/world.mjs'
import { capture } from '../../scripts/lib/child.mjs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { packageFacts } from '../../scripts/lib/shipped.mjs'
import { tempDir } from '../support/tools/temp-dir.ts'
import { whenHolds } from '../support/tools/when-holds.ts'

it('measures Sluice on a machine that has no peer and no nginx, and says what is missing', async () => {
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
})

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

it('tells a difference from chance by ranks, as the tables of Mann and Whitney do', () => {
  expect(probability([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(2 / 252, 10)
  expect(probability([1, 2, 3, 4], [5, 6, 7, 8])).toBeCloseTo(2 / 70, 10)
  expect(probability([1, 3, 5, 7, 9], [2, 4, 6, 8, 10])).toBeCloseTo(0.690476, 5)
  expect(probability([1, 1, 1, 1], [1, 1, 1, 1])).toBe(1)
})

it('comes near the exact probability where there are too many runs to go through', () => {
  const ours = Array.from({ length: 30 }, (_, index) => index * 2)
  const theirs = ours.map((value) => value + 15)
  expect(Math.abs(probability(ours, theirs) - exactly(ours, theirs))).toBeLessThan(0.001)
})

/** By counting the sets of ranks of each sum, as many as ours. */
function exactly(ours: readonly number[], theirs: readonly number[]): number {
  const sorted = [...ours, ...theirs].sort((one, other) => one - other)
  const seen = ours.reduce((sum, value) => sum + sorted.indexOf(value) + 1, 0)
  const middle = (ours.length * (sorted.length + 1)) / 2
  const sets = Array.from({ length: ours.length + 1 }, () => new Map<number, number>())
  sets[0]?.set(0, 1)
  for (let rank = 1; rank <= sorted.length; rank += 1) {
    for (let count = ours.length; count > 0; count -= 1) {
      for (const [sum, ways] of sets[count - 1] ?? []) {
        sets[count]?.set(sum + rank, (sets[count]?.get(sum + rank) ?? 0) + ways)
      }
    }
  }
  const all = [...(sets.at(-1) ?? [])]
  const total = all.reduce((sum, [, ways]) => sum + ways, 0)
  const uneven = all.filter(([sum]) => Math.abs(sum - middle) >= Math.abs(seen - middle))
  return uneven.reduce((sum, [, ways]) => sum + ways, 0) / total
}

it('says less, more, no difference, or that there are too few runs to say', () => {
  expect(compare([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBe('less')
  expect(compare([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])).toBe('more')
  expect(compare([1, 3, 5, 7, 9], [2, 4, 6, 8, 10])).toBe('no difference')
  expect(compare([1, 2, 3], [6, 7, 8])).toBe('unknown')
})

const runsOf = (...seconds: readonly number[]) =>
  seconds.map((each) => ({ seconds: each, cpuSeconds: each / 2, peakBytes: 1, failure: null }))
const measured = {
  scenario: { name: 'plain', title: 'One <big> file', kind: 'file', sizeBytes: 1 << 20, target: { seconds: 1 } },
  rows: [
    { name: 'sluice', label: 'sluice', isOurs: true, runs: runsOf(1.1, 1.2, 1.3, 1.4, 1.5) },
    { name: 'curl', label: 'curl', isOurs: false, runs: runsOf(1, 1.25, 1.28, 1.35, 1.6) },
    { name: 'wget', label: 'wget', isOurs: false, runs: runsOf(3, 3.1, 3.2, 3.3, 3.4) },
  ],
  absent: [],
  load: [0.5, 1.25],
}

it('says of each peer what Sluice takes beside it, and of a target that is as near as chance that it is', () => {
  const page = toMarkdown([measured], '')
  expect(page).toContain('| sluice | 1.30 (1.10–1.50) | 1.02 |  |')
  expect(page).toContain('| curl | 1.28 (1.00–1.60) | 1.00 | no difference |')
  expect(page).toContain('| wget | 3.20 (3.00–3.40) | 2.50 | less |')
  expect(page).toContain('| 1.02 | ≤ 1 | no difference from target |')
  expect(page).toContain('Load of the machine: 0.5 to 1.3.')
})

it('says what a long list takes beside a short one', () => {
  const stage = (label: string, isOurs: boolean, p95Ms: number) => {
    const figures = { p50Ms: 16.7, p95Ms, maxMs: p95Ms * 2, mainBytes: 200 << 20, windowBytes: 150 << 20 }
    return { name: 'moving', label, isOurs, runs: [{ seconds: 10, ...figures, failure: null }] }
  }
  const scenario = { name: 'queue', title: 'Window', kind: 'long-queue', count: 1000, things: 'transfers' }
  const page = toMarkdown([{ scenario, rows: [stage('short', false, 20), stage('long', true, 30)], absent: [] }], '')
  expect(page).toContain('(`queue`, 1000 transfers)')
  expect(page).toContain('| short | 10.00 |  | 16.7 | 20.0 |  | 40.0 |  | 200 | 150 | 1 |  |')
  expect(page).toContain('| long | 10.00 | 1.00 | 16.7 | 30.0 | 1.50 | 60.0 | 1.50 | 200 | 150 | 1 |  |')
})

it('says in which Electron the windows ran, and which one ships if it is another', () => {
  const { devDependencies } = packageFacts() as { devDependencies: { electron: string } }
  const shipped = devDependencies.electron
  const rows: readonly never[] = []
  const scenario = { name: 'loop', title: 'Loop', kind: 'loop' }
  const page = (electron: string) => toMarkdown([{ scenario, rows, absent: [], electron }], '')
  expect(page('33.2.1')).toContain(`Electron 33.2.1; Sluice ships with ${shipped}.`)
  expect(page(shipped)).toContain(`Electron ${shipped}.`)
})

it('draws every run', () => {
  const picture = runPlot([measured])
  expect(picture.match(/<circle/g)).toHaveLength(30)
  expect(picture).toContain('One &#60;big&#62; file (plain)')
})

it('measures a commit of ours beside this checkout, and leaves no worktree', { timeout: 240_000 }, async () => {
  const world = await createWorld('HEAD')
  try {
    const [plain] = SCENARIOS.filter(({ name }) => name === 'plain')
    const { rows } = (await runScenario(world, plain, { rounds: 1, sizeMiB: 1 })) as { rows: Row[] }
    expect(rows.map(({ label }) => label)).toEqual(['sluice', expect.stringMatching(/^sluice [0-9a-f]{7,}$/)])
    expect(rows.flatMap(({ runs }) => runs.map(({ failure }) => failure))).toEqual([null, null])
  } finally {
    await world.close()
  }
  expect(await worktrees()).not.toContain(world.folder)
})

it('leaves nothing of a commit that can’t be built', async () => {
  const temp = await tempDir()
  vi.stubEnv('TMPDIR', temp)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(createWorld('no-such-commit')).rejects.toThrow('Needed a single revision')
  await expect(createLinesWorld('no-such-commit')).rejects.toThrow('Needed a single revision')
  expect(await readdir(temp)).toEqual([])
})

// There is no asking a process to end on Windows.
it.skipIf(process.platform === 'win32')('leaves nothing of a commit whose building is interrupted', async () => {
  const temp = await tempDir()
  const script = pathToFileURL(inRoot('scripts', 'bench', 'world.mjs')).href
  const building = `const { createWorld } = await import(${JSON.stringify(script)}); await createWorld('HEAD')`
  const options = { cwd: inRoot(), env: { ...process.env, TMPDIR: temp }, stdio: 'ignore' } as const
  const child = spawn(process.execPath, ['--input-type=module', '--eval', building], options)
  await whenHolds(async () => {
    const [folder = ''] = await readdir(temp)
    const [checkout = ''] = (await readdir(join(temp, folder))).filter((name) => name.startsWith('sluice-'))
    expect(await readdir(join(temp, folder, checkout))).toContain('node_modules')
  })
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(await readdir(temp)).toEqual([])
  expect(await worktrees()).not.toContain(temp)
})

async function worktrees(): Promise<string> {
  return ((await capture('git', ['worktree', 'list'])) as { stdout: string }).stdout
}

it('measures the memory of many uploads', { timeout: 240_000 }, async () => {
  const world = await createWorld()
  try {
    const [crowd] = SCENARIOS.filter(({ name }) => name === 'put-memory')
    const { rows } = (await runScenario(world, { ...crowd, count: 3 }, { rounds: 1, sizeMiB: 1 })) as { rows: Row[] }
    expect(rows.flatMap(({ runs }) => runs.map(({ failure }) => failure))).toEqual([null])
  } finally {
    await world.close()
  }
})

interface Row {
  readonly label: string
  readonly runs: readonly { readonly failure: string | null }[]
}
