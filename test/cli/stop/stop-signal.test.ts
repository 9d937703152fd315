import { expect, test } from 'vitest'
import { createStopSignals } from '../../../electron/cli/stop-signal.ts'

test('the second signal is told from the first; one that was sent twice is one', () => {
  const listeners = new Map<NodeJS.Signals, () => void>()
  let nowMs = 5000
  const ends: NodeJS.Signals[] = []
  const due: { readonly ms: number; readonly act: () => void }[] = []
  const { first, second, handBack } = createStopSignals({
    on: (name, listener) => listeners.set(name, () => listener(name)),
    off: (name) => listeners.delete(name),
    nowMs: () => nowMs,
    later: (ms, act) => due.push({ ms, act }),
    kill: (name) => ends.push(name),
  })
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
  handBack()
  expect([...listeners]).toEqual([])
  // What hangs is left to itself: 30 s after the first, 2 s after the second, 1 s after the command ended.
  expect(due.map(({ ms }) => ms)).toEqual([30_000, 2000, 1000])
  for (const { act } of due) act()
  expect(ends).toEqual(['SIGINT', 'SIGINT', 'SIGINT'])
})

test('a hang-up that is to be ignored stops nothing, and all else does', () => {
  const listeners = new Map<NodeJS.Signals, () => void>()
  const { first, second } = createStopSignals(
    {
      on: (name, listener) => listeners.set(name, () => listener(name)),
      off: () => undefined,
      nowMs: () => 0,
      later: () => undefined,
      kill: () => undefined,
    },
    { SLUICE_HANG_UP: 'ignored' },
  )
  listeners.get('SIGHUP')?.()
  expect([first.aborted, second.aborted]).toEqual([false, false])
  listeners.get('SIGTERM')?.()
  expect(first.aborted).toBe(true)
})
