import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createQuarantineMark } from '../../../electron/engine/system/quarantine-mark.ts'
import { downloadFixture } from '../../support/worlds/download-fixture.ts'

/** Marks as on `platform` and tells what that did. */
function marking(platform: NodeJS.Platform, failure: Error | null = null) {
  const did: string[] = []
  const note = (...words: readonly string[]) => {
    did.push(words.join(' '))
    return failure === null ? Promise.resolve() : Promise.reject(failure)
  }
  const mark = createQuarantineMark({
    platform,
    nowMs: () => 0x5f5e100 * 1000,
    createFile: note,
    runProgram: (program, args) => note(program, ...args),
  })
  return { did, mark: mark ?? (() => Promise.resolve()), marks: mark !== undefined }
}

test('T72 Windows and macOS are told that a file was downloaded', async () => {
  const windows = marking('win32')
  await windows.mark(['C:\\dl\\.setup.exe.part', 'C:\\dl\\2'])
  const mark = '[ZoneTransfer]\r\nZoneId=3\r\n'
  expect(windows.did).toEqual([`C:\\dl\\.setup.exe.part:Zone.Identifier ${mark}`, `C:\\dl\\2:Zone.Identifier ${mark}`])
  const mac = marking('darwin')
  await mac.mark(['/dl/.run.terminal.part', '/dl/2'])
  expect(mac.did).toEqual(['/usr/bin/xattr -w com.apple.quarantine 0083;5f5e100;Sluice; /dl/.run.terminal.part /dl/2'])
  expect(marking('linux').marks).toBe(false)
})

test('T72 a file system that keeps no marks is no reason to fail', async () => {
  await marking('win32', new Error('EINVAL')).mark(['E:\\x'])
  await marking('darwin', new Error('not supported')).mark(['/x'])
})

test('a download is marked before its final name exists', async () => {
  const bytes = randomBytes(1000)
  const fixture = await downloadFixture(bytes)
  const seen: string[][] = []
  const running = fixture.begin({
    markOrigin: async ([path = '']) => {
      seen.push([path, ...(await fs.readdir(dirname(path)))])
    },
  })
  expect(await running.outcome).toMatchObject({ kind: 'completed' })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.[0]).toMatch(/\.part$/)
  expect(seen[0]).not.toContain('set.bin')
  expect(await fs.readFile(join(fixture.directory, 'set.bin'))).toEqual(bytes)
})
