import { expect, it } from 'vitest'
import { passOn } from '../../scripts/lib/child.mjs'

it.each([
  ['linux', ['SIGINT']],
  ['darwin', ['SIGINT']],
  // A program there is told of Ctrl+C by its console, and would be ended by a signal before it has stopped in good order.
  ['win32', []],
] as const)('passes Ctrl+C on to a program on %s as it must', (platform, expected) => {
  const sent: string[] = []
  passOn({ kill: (signal: string) => sent.push(signal) }, platform)('SIGINT')
  expect(sent).toEqual(expected)
})
