import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { powerMonitor, powerSaveBlocker } from 'electron'
import type { QueueTotals } from '../../shared/transfer/transfer-delta.ts'

interface PowerActions {
  readonly suspend: () => void
  readonly wake: () => void
}

export interface Power {
  /** Keeps the system awake while bytes move, and only then. */
  observe(totals: QueueTotals): void
  close(): void
}

/** Follows the machine's sleep, and keeps it from falling asleep in the middle of a transfer. */
export function watchPower({ suspend, wake }: PowerActions): Power {
  let blocker: number | null = null

  function release(): void {
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }

  powerMonitor.on('suspend', suspend)
  powerMonitor.on('resume', wake)
  return {
    observe: ({ counts, uploadBytesPerSecond, downloadBytesPerSecond }) => {
      const isMoving = counts.active > 0 && uploadBytesPerSecond + downloadBytesPerSecond > 0
      if (!isMoving) release()
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    },
    close: release,
  }
}

/** A program and its arguments. */
type Command = readonly [program: string, ...rest: string[]]

/**
 * Returns the command that puts the computer to sleep: systemd's `systemctl suspend` (systemctl(1)), `pmset sleepnow`
 * (pmset(1)), or .NET's Application.SetSuspendState through PowerShell, as Windows has no command of its own. Pure.
 */
export function sleepCommand(platform: NodeJS.Platform, systemRoot = 'C:\\Windows'): Command {
  if (platform === 'darwin') return ['/usr/bin/pmset', 'sleepnow']
  if (platform !== 'win32') return ['systemctl', 'suspend']
  const powershell = join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  const script =
    'Add-Type -AssemblyName System.Windows.Forms; ' +
    "if (-not [System.Windows.Forms.Application]::SetSuspendState('Suspend', $false, $false)) { exit 1 }"
  return [powershell, '-NoProfile', '-NonInteractive', '-Command', script]
}

/** Puts the computer to sleep. Rejects when the system doesn't allow it. */
export async function sleepComputer(): Promise<void> {
  const [program, ...rest] = sleepCommand(process.platform, process.env['SystemRoot'])
  await promisify(execFile)(program, rest, { windowsHide: true })
}
