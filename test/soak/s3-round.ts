import { join } from 'node:path'
import { MIB } from '../../shared/limits.ts'
import type { Random } from '../simulation/random.ts'
import type { FaultProxy } from '../support/fault-server/fault-server.ts'
import type { S3Service } from '../support/servers/s3-service.ts'
import type { SoakedCli } from './soaked-cli.ts'

/** A command line on a service that speaks S3, behind a line that damages bodies without a word. */
export interface S3Corner {
  readonly service: S3Service
  readonly proxy: FaultProxy
  readonly commandLine: SoakedCli
}

/** Bodies that came with a flipped bit. */
export interface DamagedBodies {
  readonly up: number
  readonly down: number
}

/** What is damaged on its way: of several parts, of one, a small one, one among many. */
const DAMAGED = ['big.bin', 'middle.bin', 'small.bin', 'many/file-0', 'many/file-1']

/**
 * Uploads the files of a round and brings them back to `target`; on the way some bodies are damaged, each way, those of
 * an object once: the same wrong bytes twice would be what the service has.
 */
export async function runS3Round(
  { service, proxy, commandLine }: S3Corner,
  { folder, prefix, target }: { readonly folder: string; readonly prefix: string; readonly target: string },
  random: Random,
): Promise<DamagedBodies> {
  const offsetIn = (name: string) => random.below(name === 'big.bin' || name === 'middle.bin' ? 5 * MIB : 1000)
  const up = DAMAGED.map((name) =>
    proxy.rule({
      when: { method: 'PUT', path: prefix + name },
      times: 1,
      fault: { kind: 'corrupt', requestByte: offsetIn(name) },
    }),
  )
  const paths = ['big.bin', 'middle.bin', 'small.bin', 'many'].map((name) => join(folder, name))
  await commandLine.run('put', ...paths, prefix)
  const down = DAMAGED.map((name) =>
    proxy.rule({
      when: { method: 'GET', path: prefix + name, query: { uploadId: false } },
      times: 1,
      fault: { kind: 'corrupt', responseByte: offsetIn(name) },
    }),
  )
  await commandLine.run('get', prefix, target)
  for (const rule of [...up, ...down]) rule.remove()
  if (service.openUploads.length > 0) throw new Error(`Left open over S3: ${service.openUploads.join(', ')}`)
  service.clear(prefix)
  const hitsOf = (rules: typeof up) => rules.reduce((sum, { hits }) => sum + hits, 0)
  return { up: hitsOf(up), down: hitsOf(down) }
}
