import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What marking takes of the system. */
export interface MarkEffects {
  readonly platform: NodeJS.Platform
  readonly nowMs: () => number
  /** Creates a file; rejects when it is there. */
  readonly createFile: (path: string, text: string) => Promise<void>
  readonly runProgram: (program: string, args: readonly string[]) => Promise<unknown>
}

const SYSTEM: MarkEffects = {
  platform: process.platform,
  nowMs: () => Date.now(),
  createFile: (path, text) => writeFile(path, text, { flag: 'wx' }),
  runProgram: (program, args) => promisify(execFile)(program, [...args]),
}

/**
 * Makes what marks a file as downloaded, so that the system asks before it runs it: the mark of the web on Windows, the
 * quarantine attribute on macOS, nothing elsewhere. The mark never rejects: some file systems can't keep one.
 */
export function createQuarantineMark(effects: MarkEffects = SYSTEM): (path: string) => Promise<void> {
  const { platform, nowMs, createFile, runProgram } = effects
  async function mark(path: string): Promise<void> {
    if (platform === 'win32') {
      // Zone 3 is the internet. No address: it could be a signed link.
      await createFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
    } else if (platform === 'darwin') {
      const seconds = Math.floor(nowMs() / 1000).toString(16)
      await runProgram('/usr/bin/xattr', ['-w', 'com.apple.quarantine', `0083;${seconds};Sluice;`, path])
    }
  }
  return (path) => mark(path).catch(() => undefined)
}
