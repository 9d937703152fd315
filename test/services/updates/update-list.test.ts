import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { listName, readUpdateList, updateKey } from '../../../electron/services/updates/update-list.ts'
import { signedList } from '../../../scripts/packages/update-lists.mjs'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const NAME = listName('stable', 'linux', 'x64')
const KEY = updateKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))
const LIST = {
  version: '0.2.0',
  file: { name: 'Sluice-0.2.0-linux-x86_64.AppImage', sizeBytes: 5, sha512: `${'A'.repeat(86)}==` },
}
const signed = (changes: object = {}, name = NAME) => signedList(name, { ...LIST, ...changes }, privateKey)
const reading = (text: string) => () => readUpdateList(text, NAME, KEY)

it('reads what the key has signed', () => {
  expect(reading(signed())()).toEqual(LIST)
})

it.each([
  ['nothing', ''],
  ['a page', '<html>Sign in to the Wi-Fi</html>'],
  ['no signature', JSON.stringify({ list: JSON.stringify(LIST) })],
  ['the signature of someone else', signedList(NAME, LIST, generateKeyPairSync('ed25519').privateKey)],
  ['another text than was signed', signed().replace('0.2.0', '0.3.0')],
  ['the list of betas', signed({}, 'beta-linux-x64.json')],
  ['the list of another system', signed({}, 'stable-darwin-arm64.json')],
  ['what is no version', signed({ version: '2' })],
  ['a file that lies elsewhere', signed({ file: { ...LIST.file, name: '../Sluice.AppImage' } })],
  ['a file at another address', signed({ file: { ...LIST.file, name: 'https://elsewhere.example/Sluice.AppImage' } })],
  ['a file without a checksum', signed({ file: { ...LIST.file, sha512: '' } })],
  ['a file without an end', signed({ file: { ...LIST.file, sizeBytes: 1e12 } })],
])('takes for not genuine: %s', (_what, text) => {
  expect(reading(text)).toThrow(expect.objectContaining({ problem: 'not-genuine' }))
})

it('takes no other kind of key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  expect(() => updateKey(rsa.export({ format: 'der', type: 'spki' }).toString('base64'))).toThrow('Ed25519')
})
