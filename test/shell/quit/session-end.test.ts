import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { followSessionEnd } from '../../../electron/shell/quit/session-end.ts'

function follow() {
  const app = new EventEmitter()
  const powerMonitor = new EventEmitter()
  const did: string[] = []
  followSessionEnd({ app, powerMonitor }, { stopNow: () => void did.push('stop'), quit: () => void did.push('quit') })
  const window = new EventEmitter()
  app.emit('browser-window-created', {}, window)
  const shutDown = () => powerMonitor.emit('shutdown', { preventDefault: () => void did.push('hold') })
  return { did, shutDown, window }
}

it('writes down what is under way before the computer shuts down, and then quits', () => {
  const { did, shutDown } = follow()
  shutDown()
  expect(did).toEqual(['hold', 'stop', 'quit'])
})

it('does so when Windows ends the session, whichever window is told', () => {
  const { did, window } = follow()
  window.emit('session-end')
  expect(did).toEqual(['stop', 'quit'])
})

it('ends once, however often it is told', () => {
  const { did, shutDown, window } = follow()
  window.emit('session-end')
  window.emit('session-end')
  shutDown()
  expect(did).toEqual(['stop', 'quit', 'hold'])
})
