import { expect, it } from 'vitest'
import {
  billOfMaterials,
  integritiesOf,
  noticesOf,
  packageFolder,
  PERMISSIVE,
  thirdParty,
} from '../../scripts/packages/third-party.mjs'

const packages = [
  { name: '@x/b', version: '2.0.0', license: 'Apache-2.0', text: 'Apache text' },
  { name: 'electron', version: '45.0.0', license: 'MIT', text: 'MIT text' },
]

it.each([
  ['/w/node_modules/zod/lib/index.js', '/w/node_modules/zod'],
  ['/w/node_modules/@x/b/dist/a.js?query', '/w/node_modules/@x/b'],
  ['/w/node_modules/a/node_modules/c/i.js', '/w/node_modules/a/node_modules/c'],
  ['\0/w/node_modules/react/index.js?commonjs', '/w/node_modules/react'],
  ['C:\\w\\node_modules\\@x\\b\\i.js', 'C:\\w\\node_modules\\@x\\b'],
  ['/w/electron/main.ts', null],
])('the file %j is of the package in %j', (file, folder) => {
  expect(packageFolder(file)).toBe(folder)
})

it('what lies beside the bundle is named with its license, which may ship', () => {
  const found = thirdParty([])
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['libsql', 'electron', '@neon-rs/load']))
  for (const { license, text, name } of found) {
    expect(PERMISSIVE, name).toContain(license)
    expect(text.length, name).toBeGreaterThan(500)
  }
})

it('the notices name each package before its text', () => {
  expect(noticesOf(packages)).toMatch(/@x\/b 2\.0\.0 \(Apache-2\.0\)\n\nApache text\n\n-{80}\n\nelectron/)
})

it('the bill of materials names what ships, with the Electron that it is made with and checksums', () => {
  const bill = billOfMaterials({
    ...{ version: '1.0.0', packages, electronVersion: '45.4.1', madeAt: new Date(0) },
    linked: [{ name: 'libz', version: '1+b', license: 'Zlib', reference: 'pkg:deb/debian/libz@1%2Bb' }],
    integrities: integritiesOf({ packages: { 'node_modules/@x/b': { version: '2.0.0', integrity: 'sha512-AAEC' } } }),
  })
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(bill.components).toMatchObject([
    { purl: 'pkg:npm/%40x/b@2.0.0', hashes: [{ alg: 'SHA-512', content: '000102' }] },
    { purl: 'pkg:npm/electron@45.4.1', type: 'framework' },
    { purl: 'pkg:deb/debian/libz@1%2Bb', version: '1+b', licenses: [{ license: { id: 'Zlib' } }] },
  ])
  expect(bill.dependencies[0]?.dependsOn).toHaveLength(3)
})
