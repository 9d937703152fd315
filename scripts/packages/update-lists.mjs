import { createHash, createPublicKey, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../lib/say.mjs'
import { installerName } from './packaging.mjs'

/** The installer that a self-updating copy uses, by system and processor. */
const KINDS = [
  ['linux-x64', { os: 'linux', arch: 'x86_64', ext: 'AppImage' }],
  ['darwin-arm64', { os: 'mac', arch: 'arm64', ext: 'zip' }],
  ['darwin-x64', { os: 'mac', arch: 'x64', ext: 'zip' }],
  ['win32-x64', { os: 'win', arch: 'x64', ext: 'exe' }],
]

/** Where a copy looks for newer versions, from its build's environment; null: nowhere. Throws if half is missing. */
export function updateBuild(environment, { replacesItself }) {
  const { SLUICE_UPDATE_URL: url = '', SLUICE_UPDATE_KEY: key = '' } = environment
  if (url === '' && key === '') return null
  if (url === '' || key === '') throw new Failure('SLUICE_UPDATE_URL and SLUICE_UPDATE_KEY must be set together.')
  const address = url.endsWith('/') ? url : `${url}/`
  if (!/^https:\/\//.test(address)) throw new Failure('SLUICE_UPDATE_URL must begin with https://.')
  const type = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyType
  if (type !== 'ed25519') throw new Failure('SLUICE_UPDATE_KEY must be an Ed25519 public key, as base64 of its DER.')
  // The last member is for electron-updater, which reads the same file.
  return { url: address, key, replacesItself, updaterCacheDirName: 'sluice-updater' }
}

/**
 * The signed lists of a version, as texts by file name; each names one of the installers in `folder`. A beta is only in
 * the list of betas. Throws if an installer is missing, because copies of its kind would never learn of the version.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function updateLists(folder, version, privateKey) {
  const channels = version.includes('-') ? ['beta'] : ['stable', 'beta']
  const lists = {}
  for (const [kind, parts] of KINDS) {
    const name = installerName(version, parts)
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts === null) throw new Failure(`${name} is missing in ${folder}.`)
    const file = { name, sizeBytes: facts.size, sha512: await sha512Of(path) }
    for (const channel of channels) {
      const listName = `${channel}-${kind}.json`
      lists[listName] = signedList(listName, { version, file }, privateKey)
    }
  }
  return lists
}

/** A list as a server returns it. Its name is signed, too. Pure. */
export function signedList(name, content, privateKey) {
  const list = JSON.stringify(content)
  const signature = sign(null, Buffer.from(`${name}\n${list}`), privateKey).toString('base64')
  return `${JSON.stringify({ list, signature })}\n`
}

async function sha512Of(path) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64')
}
