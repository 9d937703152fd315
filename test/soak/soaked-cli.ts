import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCli } from '../support/tools/run-cli.ts'
import { count, isLeftToPerson, type Decisions } from './decisions.ts'

/** A person at a terminal who gives one command after the other, each again until it is done. */
export interface SoakedCli {
  readonly name: string
  /**
   * Gives the command until it ends with 0. Throws where it ends with 2, or with 1 for what `isLeftToPerson` doesn't
   * name, or says a warning of Node's.
   */
  run(...argv: readonly string[]): Promise<void>
  /** `kill -9`; false: nothing runs. */
  kill(): boolean
  /** How often a command had to be given again because it could be continued (exit status 3). */
  readonly continued: number
}

/** How long a person waits before a command is given again, milliseconds. */
const AGAIN_MS = 500

export function createSoakedCli(
  name: string,
  environment: Readonly<Record<string, string>>,
  decisions: Decisions,
): SoakedCli {
  let running: ChildProcess | null = null
  let continued = 0
  return {
    name,
    async run(...argv) {
      for (;;) {
        const { process, ended } = startCli(argv, environment)
        running = process
        const { status, signal, lines, stderr } = await ended
        running = null
        if (status === 0) return
        const code = lines.at(-1)?.['code']
        if (status === 1 && isLeftToPerson(code)) count(decisions, code)
        else if (signal !== 'SIGKILL' && status !== 3) {
          throw new Error(`${name}: ${argv.join(' ')} ended with ${status}: ${stderr}${JSON.stringify(lines.at(-1))}`)
        }
        if (status === 3) continued += 1
        await sleep(AGAIN_MS)
      }
    },
    kill: () => running?.kill('SIGKILL') ?? false,
    get continued() {
      return continued
    },
  }
}
