import { expect, it, vi } from 'vitest'
import { sleepCommand } from '../../electron/shell/power.ts'

vi.mock('electron', () => ({ powerMonitor: {}, powerSaveBlocker: {} }))

it('puts each system to sleep by its own means', () => {
  expect(sleepCommand('linux')).toEqual(['systemctl', 'suspend'])
  expect(sleepCommand('darwin')).toEqual(['/usr/bin/pmset', 'sleepnow'])
  expect(sleepCommand('win32')[0]).toMatch(/powershell\.exe$/)
})
