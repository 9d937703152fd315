import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isHeld, withLock } from '../../scripts/lib/lock.mjs'
import { tempDir } from '../support/tools/temp-dir.ts'

test('lets one run in at a time', async () => {
  const lock = join(await tempDir(), 'lock')
  let inside = 0
  let most = 0
  const enter = () =>
    withLock(lock, async () => {
      inside += 1
      most = Math.max(most, inside)
      await writeFile(join(lock, 'work'), 'some time passes')
      inside -= 1
    })
  await Promise.all([enter(), enter(), enter()])
  expect({ most, inside }).toEqual({ most: 1, inside: 0 })
})

test('lets the next one in after a failure', async () => {
  const lock = join(await tempDir(), 'lock')
  await expect(withLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  expect(await withLock(lock, () => Promise.resolve('entered'))).toBe('entered')
})

test('takes over a lock whose owner is gone', async () => {
  const lock = join(await tempDir(), 'lock')
  await mkdir(lock)
  await writeFile(join(lock, 'owner'), '2147483646 ')
  expect(await withLock(lock, () => Promise.resolve('entered'))).toBe('entered')
})

test.skipIf(process.platform === 'win32')('takes over a lock whose owner’s id belongs to another process', async () => {
  const lock = join(await tempDir(), 'lock')
  await mkdir(lock)
  await writeFile(join(lock, 'owner'), `${process.pid} an earlier time`)
  expect(await withLock(lock, () => Promise.resolve('entered'))).toBe('entered')
})

test('takes over a lock from before the system started, where processes don’t say when they did', async () => {
  const lock = join(await tempDir(), 'lock')
  await mkdir(lock)
  await writeFile(join(lock, 'owner'), `${process.pid} `)
  await utimes(lock, 1, 1)
  expect(await withLock(lock, () => Promise.resolve('entered'))).toBe('entered')
})

test.each([
  ['EEXIST', 'linux', true],
  ['EEXIST', 'win32', true],
  // What Windows says of a folder whose deletion has not ended.
  ['EPERM', 'win32', true],
  ['EPERM', 'linux', false],
  ['ENOSPC', 'win32', false],
])('takes %s on %s for a lock that somebody has: %s', (code, platform, held) => {
  expect(isHeld({ code }, platform)).toBe(held)
})
