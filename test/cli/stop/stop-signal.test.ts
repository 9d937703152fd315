import { expect, test } from 'vitest'
import { createStopSignals } from '../../../electron/cli/stop-signal.ts'

test('the second signal is told from the first; one that was sent twice is one', () => {
  const listeners = new Map<NodeJS.Signals, () => void>()
  let nowMs = 5000
  const on = (name: NodeJS.Signals, listener: () => void) => listeners.set(name, listener)
  const { first, second } = createStopSignals({ on, nowMs: () => nowMs })
  const send = (name: NodeJS.Signals) => {
    listeners.get(name)?.()
    return [first.aborted, second.aborted]
  }
  expect([...listeners.keys()].sort()).toEqual(['SIGBREAK', 'SIGHUP', 'SIGINT', 'SIGTERM'])
  expect(send('SIGINT')).toEqual([true, false])
  nowMs += 99
  expect(send('SIGTERM')).toEqual([true, false])
  nowMs += 1
  expect(send('SIGINT')).toEqual([true, true])
})
