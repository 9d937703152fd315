import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { hasSignals } from '../../support/tools/run-cli.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const PART = { method: 'PUT', query: { partNumber: true } }

/**
 * What starts the command line of each system, where it lies in an installed Sluice, and the program that it starts,
 * with so many options of its own.
 */
type Starter = readonly [starter: string, command: string, program: string, ownOptions: number]
const STARTERS: readonly Starter[] = [
  ['scripts/assets/linux/sluice', 'usr/bin/sluice', 'usr/lib/sluice/sluice', 3],
  ['scripts/assets/mac/sluice', 'Contents/Resources/bin/sluice', 'Contents/MacOS/Sluice', 0],
]

async function install(world: CliWorld, [starter, command, program, ownOptions]: Starter) {
  for (const path of [command, program]) await mkdir(dirname(world.path(path)), { recursive: true })
  await copyFile(inRoot(starter), world.path(command))
  await writeFile(
    world.path(program),
    `#!/bin/sh\nshift ${String(ownOptions)}\nexec ${process.execPath} ${inRoot('out/cli.js')} "$@"\n`,
  )
  for (const path of [command, program]) await chmod(world.path(path), 0o755)
  await symlink(world.path(command), world.path('sluice'))
}

test.runIf(hasSignals).each(STARTERS)(
  'what %s starts goes on under nohup when its terminal is closed',
  async (...of) => {
    const world = await createCliWorld()
    await install(world, of)
    await writeRandomFile(world.path('big'), 20 * MIB)
    for (const [key, ignores, status] of [
      ['plain', '', 3],
      ['nohup', "trap '' HUP; ", 0],
    ] as const) {
      const seen = world.proxy.requests(PART).length
      const line = `${ignores}exec "$0" put big ${key} --limit-rate 8M`
      const options = { cwd: world.path('.'), env: { ...process.env, ...world.environment }, stdio: 'ignore' } as const
      const child = spawn('sh', ['-c', line, world.path('sluice')], options)
      const ended = once(child, 'close')
      await world.proxy.seen(PART, seen + 1)
      child.kill('SIGHUP')
      await ended
      expect([key, child.exitCode]).toEqual([key, status])
    }
  },
)
