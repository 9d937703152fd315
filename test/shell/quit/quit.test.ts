import { beforeEach, expect, it } from 'vitest'
import type { WhenClosed } from '../../../shared/settings.ts'
import { createQuit, quitMessage, type QuitAnswer } from '../../../electron/shell/quit/quit.ts'

let did: string[]
let activeCount: number
let answer: QuitAnswer

let whenClosed: WhenClosed

const create = () =>
  createQuit({
    toPause: () => ({ all: activeCount, lost: 0, keyless: 0, signedOut: 0 }),
    whenClosed: () => whenClosed,
    ask: (message) => {
      did.push(message)
      return Promise.resolve(answer)
    },
    remember: (answered) => {
      whenClosed = answered
      return Promise.resolve()
    },
    quit: () => did.push('quit'),
    keepRunning: () => did.push('keep running'),
  })

beforeEach(() => {
  did = []
  activeCount = 3
  whenClosed = 'ask'
  answer = { quits: true, asksAgain: true }
})

it('quits without a word when nothing runs', async () => {
  activeCount = 0
  const quit = create()
  expect(quit.holdsClose()).toBe(false)
  await quit.request()
  expect(did).toEqual(['quit'])
})

it('says what quitting means before it does', async () => {
  await create().request()
  expect(did).toEqual(['Quit and pause 3 transfers? They continue when you reopen Sluice.', 'quit'])
})

it('keeps running when the person wants that', async () => {
  answer = { quits: false, asksAgain: true }
  await create().request()
  expect(did.at(-1)).toBe('keep running')
})

it('holds the window open until the person has answered, and asks once', async () => {
  const quit = create()
  expect([quit.holdsClose(), quit.holdsClose()]).toEqual([true, true])
  await Promise.resolve()
  expect(did.filter((what) => what.includes('transfers'))).toHaveLength(1)
})

it('quits without asking again once that was the answer', async () => {
  answer = { quits: true, asksAgain: false }
  const quit = create()
  await quit.request()
  did = []
  expect(quit.holdsClose()).toBe(false)
  await quit.request()
  expect(did).toEqual(['quit'])
})

it('keeps running without asking again once that was the answer, and still quits when told to', async () => {
  answer = { quits: false, asksAgain: false }
  const quit = create()
  await quit.request()
  did = []
  expect(quit.holdsClose()).toBe(true)
  expect(did).toEqual(['keep running'])
  answer = { quits: true, asksAgain: true }
  await quit.request()
  expect(did.at(-1)).toBe('quit')
})

it('asks nobody when the session ends', () => {
  const quit = create()
  quit.begin()
  expect(quit.holdsClose()).toBe(false)
})

it('counts in words', () => {
  expect(quitMessage({ all: 1, lost: 0, keyless: 0, signedOut: 0 })).toBe(
    'Quit and pause 1 transfer? It continues when you reopen Sluice.',
  )
  expect(quitMessage({ all: 2, lost: 1, keyless: 0, signedOut: 0 })).toBe(
    'Quit and pause 2 transfers? They continue when you reopen Sluice. 1 download starts over, because its server can’t continue it.',
  )
})

it('doesn’t promise that transfers continue by themselves whose key is not saved', () => {
  expect(quitMessage({ all: 2, lost: 0, keyless: 2, signedOut: 0 })).toBe(
    'Quit and pause 2 transfers? They continue once you reopen Sluice and enter the secret key of their place again, because it isn’t saved.',
  )
  expect(quitMessage({ all: 3, lost: 0, keyless: 1, signedOut: 0 })).toBe(
    'Quit and pause 3 transfers? They continue when you reopen Sluice. 1 of them waits until you enter the secret key of its place again, because it isn’t saved.',
  )
})

it('doesn’t promise that downloads continue by themselves whose sign-in is not saved', () => {
  expect(quitMessage({ all: 1, lost: 0, keyless: 0, signedOut: 1 })).toBe(
    'Quit and pause 1 transfer? It continues once you reopen Sluice and paste its link again with the user name and password, because they aren’t saved.',
  )
  expect(quitMessage({ all: 3, lost: 0, keyless: 0, signedOut: 1 })).toBe(
    'Quit and pause 3 transfers? They continue when you reopen Sluice. 1 of them waits until you paste its link again with the user name and password, because they aren’t saved.',
  )
})
