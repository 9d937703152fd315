import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 1, fileParallelism: false }

// Vitest insists on a default export here.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/ceph/**', 'test/e2e/**', 'test/package/**'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          pool: 'forks',
          maxWorkers: 2,
        },
      },
      // A real Ceph gateway, where one can be had.
      {
        test: {
          name: 'ceph',
          include: ['test/ceph/**/*.test.ts'],
          globalSetup: ['test/ceph/support/global-setup.ts'],
          ...slow,
          sequence: { groupOrder: 3 },
        },
      },
      // The real app, one window at a time: `npm test` provides Electron and a screen.
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...slow, sequence: { groupOrder: 1 } } },
      { test: { name: 'package', include: ['test/package/**/*.test.ts'], ...slow, sequence: { groupOrder: 2 } } },
    ],
  },
})
