import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { hasSignals, runWithFewDescriptors } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

/** Node alone needs some 40: what is left is far less than a folder uses at a time. */
const DESCRIPTORS = 64
const SMALL_FILES = 60
const LARGE_FILES = 2

// Windows has no such limit.
test.skipIf(!hasSignals)('files wait for descriptors where a process may have few', async () => {
  const world = await createCliWorld()
  const folder = world.path('photos')
  await mkdir(folder)
  const digests = new Map<string, string>()
  for (let number = 0; number < SMALL_FILES + LARGE_FILES; number += 1) {
    const bytes = number < SMALL_FILES ? 10_000 : 12 * MIB
    digests.set(String(number), await writeRandomFile(join(folder, String(number)), bytes))
  }
  const run = (...argv: readonly string[]) => runWithFewDescriptors(argv, world.environment, DESCRIPTORS)
  const put = await run('put', folder, 'all/')
  expect(put.lines.filter(({ event }) => event === 'not-uploaded')).toEqual([])
  expect(put).toMatchObject({ status: 0 })
  const get = await run('get', 'all/photos/', world.path('back/'))
  expect(get.lines.filter(({ event }) => event === 'not-downloaded')).toEqual([])
  expect(get).toMatchObject({ status: 0 })
  for (const [name, digest] of digests) expect(await sha256Of(world.path(`back/${name}`)), name).toBe(digest)
})
