import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { MarkOrigin } from '../core/deps.ts'

/** What marking needs from the system. */
export interface MarkEffects {
  readonly platform: NodeJS.Platform
  readonly nowMs: () => number
  /** Creates a file; rejects when it exists. */
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
 * Creates the function that marks files as downloaded, which makes the system ask before it runs them: with the Mark of
 * the Web on Windows, the quarantine attribute on macOS. Returns undefined elsewhere. The function never rejects: some
 * file systems can't keep a mark.
 */
export function createQuarantineMark(effects: MarkEffects = SYSTEM): MarkOrigin | undefined {
  const { platform, nowMs, createFile, runProgram } = effects
  switch (platform) {
    case 'win32': {
      // Zone 3 is the internet. The address is left out, as it could be a signed link.
      const mark = (path: string) => createFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
      return async (paths) => void (await Promise.allSettled(paths.map(mark)))
    }
    case 'darwin':
      return async (paths) => {
        const seconds = Math.floor(nowMs() / 1000).toString(16)
        const value = `0083;${seconds};Sluice;`
        // One program marks all of them: starting it takes longer than marking.
        await Promise.allSettled([runProgram('/usr/bin/xattr', ['-w', 'com.apple.quarantine', value, ...paths])])
      }
    default:
      return undefined
  }
}
