import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/**
 * Every body of a test is garbage soon. Threads that help to collect it cost a processor more than they save where each
 * has its test to run, and so do collections of what is little.
 */
const execArgv = ['--single-threaded-gc', '--initial-old-space-size=512']

const slow = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 1,
  fileParallelism: false,
  // What a window shows takes as long as the machine that runs the test takes.
  expect: { poll: { timeout: 120_000 } },
}

/** What real kills, full disks, slow lines and the built command line make too slow for `npm run test:quick`. */
const SLOW = [
  'test/{cli,crash,reliability}/**/*.test.ts',
  'test/engine/download/{crash,disk,disk-faults,faults,fetch-ranges,resume,slow-line}.test.ts',
  'test/engine/folders/**/*.test.ts',
  'test/engine/multipart/complete*.test.ts',
  'test/engine/queue/engine-transfers.test.ts',
  'test/engine/partial-file/**/*.test.ts',
  'test/engine/upload/{earlier,over-http,source,under-limit,upload}.test.ts',
  'test/engine/flow-control/rate-exactness.test.ts',
  'test/demo-store/{durability,scale}.test.ts',
  'test/scripts/bench.test.ts',
]

const UNIT_FILE = /^(?!(e2e|package|s3|security|wine)\/|soak\/soak\.test).*\.test\.tsx?$/

/** What puts other modules in the place of those that are tested: no file beside it may have loaded them already. */
const REPLACES_MODULES = readdirSync(new URL('test', import.meta.url), { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter(
    (path) =>
      UNIT_FILE.test(path) && readFileSync(new URL(`test/${path}`, import.meta.url), 'utf8').includes('vi.mock('),
  )
  .map((path) => `test/${path}`)

const unit = {
  setupFiles: ['test/support/fail-on-warnings.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks',
  execArgv,
  // Half of their time they wait: for a server, a limit, a process.
  maxWorkers: 3,
}

/** Virtual screens that `npm test` made, one for each window test that runs at the same time. */
const screens = (process.env.SLUICE_TEST_DISPLAYS ?? '').split(' ').filter((name) => name !== '')

/** Run before each test file. */
const setupFiles = ['test/support/fail-on-warnings.ts']

// Vitest insists on a default export here.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{e2e,package,s3,security,wine}/**', 'test/soak/soak.test.ts', ...SLOW, ...REPLACES_MODULES],
          // To load the engine or the window anew for each file takes longer than most of their tests.
          isolate: false,
        },
      },
      // Each in a process of its own.
      {
        test: {
          ...unit,
          name: 'unit-alone',
          include: [...SLOW, ...REPLACES_MODULES],
          exclude: process.env.SLUICE_QUICK === '1' ? SLOW : [],
        },
      },
      // Servers of S3 that others wrote: one from npm, and a real Ceph gateway where it can be had.
      {
        test: {
          name: 's3',
          execArgv,
          setupFiles,
          include: ['test/s3/**/*.test.ts'],
          globalSetup: ['test/s3/support/global-setup.ts'],
          ...slow,
          sequence: { groupOrder: 3 },
        },
      },
      // The built command line on Windows' own Node, where `npm test -- --wine` has Wine.
      {
        test: {
          name: 'wine',
          execArgv,
          setupFiles,
          include: ['test/wine/**/*.test.ts'],
          ...slow,
          sequence: { groupOrder: 5 },
        },
      },
      // The real app, one window at a time on each screen: `npm test` provides Electron and the screens.
      {
        test: {
          name: 'e2e',
          // To load the driver of the window anew for each file takes a second of a processor.
          isolate: false,
          setupFiles: ['test/support/own-display.ts', 'test/support/show-failures.ts'],
          include: ['test/e2e/**/*.test.ts'],
          ...slow,
          maxWorkers: Math.max(1, screens.length),
          fileParallelism: screens.length > 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          ...slow,
          // The system's own package manager takes as long as it takes.
          ...{ testTimeout: 600_000, hookTimeout: 600_000 },
          sequence: { groupOrder: 2 },
        },
      },
      // What `npm run check:security` asks of the sources and of the packaged app.
      { test: { name: 'security', include: ['test/security/**/*.test.ts'], ...slow, sequence: { groupOrder: 6 } } },
      // As long as it is told to: `npm run soak` alone runs it.
      { test: { name: 'soak', include: ['test/soak/soak.test.ts'], ...slow, sequence: { groupOrder: 4 } } },
    ],
  },
})
