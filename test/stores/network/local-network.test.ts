import { describe, expect, test } from 'vitest'
import { troubleOf } from '../../../electron/stores/http/wire/network-error.ts'
import { causeWords } from '../../../shared/transfer/words/wait-words.ts'

function unreachable(address: string): Error {
  return Object.assign(new Error(`connect EHOSTUNREACH ${address}`), { code: 'EHOSTUNREACH', address })
}

const codeOn = (platform: NodeJS.Platform, cause: Error) => troubleOf(cause, 'nas:9000', platform).code

describe('a host of the local network that macOS says there is no way to', () => {
  test.each(['192.168.1.5', '10.0.0.2', '172.20.0.1', '169.254.3.4', 'fe80::1', 'fd12::5'])('at %s', (address) => {
    expect(codeOn('darwin', unreachable(address))).toBe('kept-out')
  })

  test('with several addresses', () => {
    const cause = new AggregateError([unreachable('fe80::1'), unreachable('93.184.216.34')])
    expect(codeOn('darwin', Object.assign(cause, { code: 'EHOSTUNREACH' }))).toBe('kept-out')
  })

  test('is said with the setting that allows it', () => {
    const words = causeWords({ code: 'kept-out', host: 'nas:9000', httpStatus: null })
    expect(words).toContain('System Settings > Privacy & Security > Local Network')
  })
})

test.each([
  ['of the internet', 'darwin', unreachable('93.184.216.34')],
  ['on another system', 'linux', unreachable('192.168.1.5')],
] as const)('a host %s is just out of reach', (_what, platform, cause) => {
  expect(codeOn(platform, cause)).toBe('no-route')
})
