import { setTimeout as sleep } from 'node:timers/promises'
import { LOOK_MS } from '../../../electron/engine/line/upload/create-upload-line.ts'
import { SILENT_MS } from '../../../electron/engine/volumes/drive-silence.ts'

/** Whether something is watched meanwhile, bytes on their way or a file, and nothing waited for. */
export function isWatch(delayMs: number): boolean {
  return delayMs === LOOK_MS || delayMs === SILENT_MS
}

/** For clocks on which waits take no time: watches take theirs, as what they watch does. Null: it is a wait. */
export function watchInRealTime(delayMs: number, signal: AbortSignal): Promise<void> | null {
  return isWatch(delayMs) ? sleep(delayMs, undefined, { signal }) : null
}
