import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { targetFailure } from '../../../electron/engine/files/file-errors.ts'
import { longPathWords, nameRulesOf } from '../../../electron/engine/files/name-rules.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const on = (type: number): FileSystem => {
  const statfs = ((path: string) =>
    fs.statfs(path).then((facts) => Object.assign(facts, { type }))) as FileSystem['statfs']
  return { ...fs, statfs }
}

test.each([
  ['ext4', 0xef53, true],
  ['Btrfs', 0x9123683e, true],
  ['FAT', 0x4d44, false],
  ['exFAT', 0x2011bab0, false],
  ['NTFS', 0x7366746e, false],
  ['FUSE', 0x65735546, false],
  ['SMB', 0xfe534d42, false],
  ['none that is known', 1, false],
])('of %s it is known whether it takes all names of Unix', async (_name, type, takesUnixNames) => {
  const folder = await tempDir()
  expect(await nameRulesOf(on(type), folder, 'linux')).toMatchObject({ takesUnixNames })
  expect((await nameRulesOf(on(type), folder, 'darwin')).takesUnixNames).toBeUndefined()
})

test('a volume of unknown kind gets names that every volume accepts', async () => {
  const statfs = () => Promise.reject(new Error('EIO'))
  const rules = await nameRulesOf({ ...fs, statfs }, await tempDir(), 'linux')
  expect(rules).toMatchObject({ takesUnixNames: false })
})

test('the home folder is known, by a link to it as well, and no folder in it is taken for it', async () => {
  const folder = await tempDir()
  const home = join(folder, 'home')
  await fs.mkdir(join(home, 'Downloads'), { recursive: true })
  await fs.symlink(home, join(folder, 'link'), 'junction')
  vi.stubEnv('HOME', join(folder, 'link'))
  vi.stubEnv('USERPROFILE', join(folder, 'link'))
  const isHome = async (path: string) => (await nameRulesOf(fs, path)).isHome
  expect([await isHome(home), await isHome(join(folder, 'link')), await isHome(join(home, 'Downloads'))]).toEqual([
    true,
    true,
    false,
  ])
  vi.unstubAllEnvs()
})

test('a name that the volume refuses is called that', () => {
  const refusal = (syscall: string) => Object.assign(new Error('invalid argument'), { code: 'EINVAL', syscall })
  expect(targetFailure(refusal('open'), '/x')).toMatchObject({ info: { code: 'name-not-storable' } })
  expect(targetFailure(refusal('ftruncate'), '/x')).toMatchObject({ info: { code: 'target-unwritable' } })
})

test('a path is too long only on Windows, from the length that its programs can no longer open', () => {
  const longest = `C:\\${'a'.repeat(256)}`
  expect(longest).toHaveLength(259)
  const tell = (path: string) =>
    (['win32', 'linux', 'darwin'] as const).map((platform) => longPathWords(path, platform))
  expect(tell(longest)).toEqual([null, null, null])
  expect(tell(`${longest}a`)).toEqual([expect.stringContaining('has 260 characters'), null, null])
})
