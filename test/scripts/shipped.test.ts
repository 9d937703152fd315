import { expect, it } from 'vitest'
import { isSupportedElectron, packagesBelow, severeAmong } from '../../scripts/lib/shipped.mjs'

it.each([
  ['43.0.0', true],
  ['45.4.1', true],
  ['42.9.9', false],
  ['33.2.1', false],
  ['v43.0.1', true],
])('an Electron %s may ship: %s', (version, may) => {
  expect(isSupportedElectron(version, { engines: { electron: '>=43.0.0' } })).toBe(may)
})

it('the Electron that the project asks for may ship', () => {
  expect(isSupportedElectron('45.4.1')).toBe(true)
  expect(isSupportedElectron('33.2.1')).toBe(false)
})

const lock = {
  packages: {
    '': { dependencies: { a: '1' } },
    'node_modules/a': { dependencies: { '@x/b': '1' } },
    'node_modules/a/node_modules/@x/b': { optionalDependencies: { c: '1' } },
    'node_modules/c': { dependencies: { a: '1' } },
    'node_modules/d': {},
  },
}
const report = {
  vulnerabilities: {
    c: { name: 'c', severity: 'high', via: [{ title: 'Reads too much' }] },
    a: { name: 'a', severity: 'critical', via: ['c'] },
    '@x/b': { name: '@x/b', severity: 'moderate', via: [{ title: 'Slow' }] },
    d: { name: 'd', severity: 'critical', via: [{ title: 'Only for work' }] },
  },
}

it('severe advisories count for what ships, and for nothing else', () => {
  const shipped = packagesBelow(lock, ['a'])
  expect([...shipped].sort()).toEqual(['@x/b', 'a', 'c'])
  expect(severeAmong(report, shipped)).toEqual(['c (high): Reads too much', 'a (critical): by c'])
})

it.each([null, {}, { error: { summary: '' }, message: 'audit endpoint returned an error' }])(
  'a registry that answers %j was not asked: that is said, not taken for no advisory',
  (answer) => {
    expect(severeAmong(answer, new Set())).toBeNull()
  },
)
