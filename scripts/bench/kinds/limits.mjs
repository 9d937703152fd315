import { join } from 'node:path'
import { measure } from '../machine/measure.mjs'

/**
 * The best that this machine can do: curl discarding the same bytes, and writing them to the disk from the page cache,
 * with and without waiting for the disk.
 */
export async function measureLimits(world, { kind, scheme, proxy, sizeBytes }, rounds) {
  if (kind !== 'file' || proxy !== undefined) return []
  const source = await world.source(sizeBytes)
  const certificate = scheme === 'https' ? ['--cacert', world.certificate.certFile] : []
  const limits = [
    [
      'curl -o /dev/null',
      () => ['curl', '-fsS', ...certificate, '-o', '/dev/null', world.server[scheme] + source.path],
    ],
    ['copy of the file', (target) => ['dd', `if=${source.localPath}`, `of=${target}`, 'bs=1M', 'status=none']],
    [
      'copy of the file and fdatasync',
      (target) => ['dd', `if=${source.localPath}`, `of=${target}`, 'bs=1M', 'conv=fdatasync', 'status=none'],
    ],
  ]
  const rows = limits.map(([label, argvOf]) => ({ label, argvOf, runs: [] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { argvOf, runs } of rows) {
      const scratch = await world.scratch()
      const command = { argv: argvOf(join(scratch.path, 'copy.bin')) }
      const run = await measure(world.timer, command, join(scratch.path, 'time'), 120)
      if (run.status === 0) runs.push({ ...run, failure: null })
      await scratch.remove()
    }
  }
  return rows.filter(({ runs }) => runs.length > 0).map(({ label, runs }) => ({ name: label, label, runs }))
}
