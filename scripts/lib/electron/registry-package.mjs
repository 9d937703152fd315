import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { capture, npm } from '../child.mjs'
import { Failure } from '../say.mjs'

/**
 * Fetches one version of an npm package, `name@version`, and unpacks it into an existing folder. `sha512` is the
 * required hash of its archive, in base64. Resolves with the folder of its files. Throws Failure.
 */
export async function fetchPackage(spec, sha512, folder) {
  const packed = await npm(['pack', spec, '--pack-destination', folder, '--json', '--loglevel=error'])
  if (packed.code !== 0) throw new Failure(`npm could not fetch ${spec}:\n${packed.output}`)
  const archive = join(folder, JSON.parse(packed.stdout)[0].filename)
  const hash = createHash('sha512')
  await pipeline(createReadStream(archive), hash)
  if (hash.digest('base64') !== sha512) throw new Failure(`${spec} has changed: its checksum differs.`)
  const { code, output } = await capture('tar', ['-xzf', archive, '-C', folder])
  if (code !== 0) throw new Failure(`tar could not unpack ${spec}:\n${output}`)
  await rm(archive)
  return join(folder, 'package')
}
