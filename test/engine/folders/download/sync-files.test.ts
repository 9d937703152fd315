import { join } from 'node:path'
import { expect, test } from 'vitest'
import { syncFiles, type SyncCalls } from '../../../../electron/engine/folders/download/sync-files.ts'

const ROOT = join('/', 'chosen')
const PATHS = [join('new', 'deep', 'a'), join('new', 'deep', 'b'), join('other', 'c')]
const FOLDERS = ['.', 'new', join('new', 'deep'), 'other']

/** A system where files in `broken` can't be written. */
function systemOf(facts: Partial<SyncCalls>, broken: readonly string[] = []) {
  const volumes: string[] = []
  const synced: string[] = []
  const deleted: string[] = []
  const calls: SyncCalls = {
    platform: 'linux',
    kernel: '6.1.0-18-amd64',
    syncVolume: (path) => Promise.resolve(volumes.push(path) > 0),
    syncOne(path, flags) {
      synced.push(`${flags} ${path}`)
      return Promise.resolve(!broken.some((each) => join(ROOT, each) === path))
    },
    unlink: (path) => Promise.resolve(void deleted.push(path)),
    ...facts,
  }
  return { calls, volumes, synced, deleted }
}

const allOf = (paths: readonly string[], flags: string) => paths.map((path) => `${flags} ${join(ROOT, path)}`)

test('one flush of the volume is enough where the kernel says what it could not write', async () => {
  const { calls, volumes, synced } = systemOf({})
  expect(await syncFiles(calls, ROOT, PATHS)).toEqual([])
  expect([volumes, synced]).toEqual([[ROOT], []])
})

test.each(['4.18.0-553.el8_10.x86_64', '5.4.0-190-generic', '5.7.19', 'unknown'])(
  'a kernel that keeps it to itself is asked file by file (%s)',
  async (kernel) => {
    const { calls, volumes, synced, deleted } = systemOf({ kernel }, [PATHS[1] ?? ''])
    expect(await syncFiles(calls, ROOT, PATHS)).toEqual([PATHS[1]])
    expect(volumes).toEqual([ROOT])
    expect(synced.slice(0, 3)).toEqual(allOf(PATHS, 'r+'))
    expect(deleted).toEqual([join(ROOT, PATHS[1] ?? '')])
  },
)

test.each<[string, Partial<SyncCalls>]>([
  ['macOS', { platform: 'darwin' }],
  ['Windows', { platform: 'win32' }],
  ['a Linux without that flush', { syncVolume: () => Promise.resolve(false) }],
])('on %s each file is synced, and every folder that may be new, up to the chosen one', async (_name, facts) => {
  const { calls, synced } = systemOf(facts)
  expect(await syncFiles(calls, ROOT, PATHS)).toEqual([])
  expect(synced.slice(0, PATHS.length)).toEqual(allOf(PATHS, 'r+'))
  expect(synced.slice(PATHS.length).toSorted()).toEqual(allOf(FOLDERS, 'r').toSorted())
})
