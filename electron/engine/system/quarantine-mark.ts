import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { MarkOrigin } from '../core/deps.ts'

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
 * Makes what marks files as downloaded, so that the system asks before it runs them: the mark of the web on Windows,
 * the quarantine attribute on macOS; undefined elsewhere. It never rejects: some file systems can't keep one.
 */
export function createQuarantineMark(effects: MarkEffects = SYSTEM): MarkOrigin | undefined {
  const { platform, nowMs, createFile, runProgram } = effects
  switch (platform) {
    case 'win32': {
      // Zone 3 is the internet. No address: it could be a signed link.
      const mark = (path: string) => createFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
      return async (paths) => void (await Promise.allSettled(paths.map(mark)))
    }
    case 'darwin':
      return async (paths) => {
        const seconds = Math.floor(nowMs() / 1000).toString(16)
        const value = `0083;${seconds};Sluice;`
        // One program for all of them: to start it takes longer than to write them.
        await Promise.allSettled([runProgram('/usr/bin/xattr', ['-w', 'com.apple.quarantine', value, ...paths])])
      }
    default:
      return undefined
  }
}
