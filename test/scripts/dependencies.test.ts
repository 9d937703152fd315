import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureWords, missingPackages, unservedBy } from '../../scripts/lib/dependencies.mjs'

interface Entry {
  readonly version: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const LOCK_FILE = join(import.meta.dirname, '..', '..', 'package-lock.json')
const { packages: wanted } = JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as { packages: Record<string, Entry> }
const without = (isLeftOut: (folder: string, entry: Entry) => boolean) =>
  Object.fromEntries(Object.entries(wanted).filter(([folder, entry]) => !isLeftOut(folder, entry)))

describe.each([
  ['linux', 'x64', 'glibc', 'linux-x64-gnu'],
  ['linux', 'arm64', 'glibc', 'linux-arm64-gnu'],
  ['darwin', 'arm64', 'musl', 'darwin-arm64'],
  ['win32', 'x64', 'musl', 'win32-x64-msvc'],
])('on %s, %s', (os, cpu, libc, binary) => {
  const machine = { os, cpu, libc }

  it('the binary of the database can be missing', () => {
    const folder = `node_modules/@libsql/${binary}`
    expect(
      missingPackages(
        wanted,
        without((each) => each === folder),
        machine,
      ),
    ).toEqual([folder])
  })

  it('no binary for another system or processor is missing', () => {
    const found = without((_folder, entry) => entry.os?.includes(os) === false || entry.cpu?.includes(cpu) === false)
    expect(missingPackages(wanted, found, machine)).toEqual([])
  })
})

const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' }

it('no binary for another C library is missing', () => {
  const entry = { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] }
  expect(missingPackages({ 'node_modules/binding': entry }, {}, machine)).toEqual([])
})

it('a package of another version is missing, and so is one that is not there', () => {
  const folder = 'node_modules/libsql'
  const older = { ...wanted, [folder]: { version: '0.5.28' } }
  expect(missingPackages(wanted, older, machine)).toEqual([folder])
  expect(missingPackages(wanted, {}, machine)).toContain(folder)
})

it('an optional package for every machine is not missing', () => {
  expect(missingPackages({ 'node_modules/extra': { version: '1.0.0', optional: true } }, {}, machine)).toEqual([])
})

it('a machine is named that the database has no binary for', () => {
  expect(unservedBy(wanted, { os: 'win32', cpu: 'arm64', libc: 'musl' })).toEqual(['libsql'])
  expect(unservedBy(wanted, { os: 'win32', cpu: 'x64', libc: 'musl' })).toEqual([])
  expect(unservedBy(wanted, machine)).toEqual([])
})

it.each([
  ['npm error code EPERM\nnpm error syscall unlink', 'win32', true],
  ['npm error code EPERM', 'linux', false],
  ['npm error code ENOTFOUND', 'win32', false],
])('an installation that failed with %j on %s may be kept from it by a running Sluice: %s', (output, platform, may) => {
  const words = failureWords(output, platform)
  expect(words).toContain(output)
  expect(words.includes('Quit any Sluice that was started from this folder')).toBe(may)
})

it('no script of a package runs at its installation', () => {
  expect(readFileSync(join(LOCK_FILE, '..', '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
})
