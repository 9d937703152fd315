import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { EXIT } from '../../../electron/cli/exit-status.ts'
import { MIB } from '../../../shared/limits.ts'
import { mountSmallVolume } from '../../soak/small-volume.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const FILES = 60
const ROUNDS = 5

it('a volume with room for bytes that takes no more files ends a command with 3, and the next one goes on', async (test) => {
  const world = await createCliWorld()
  const volume = await mountSmallVolume(world.path('small'), 64 * MIB)
  test.skip(volume === null, 'mounting takes Linux and root')
  if (volume === null) return
  try {
    await mkdir(world.path('in'))
    for (let number = 0; number < FILES; number += 1)
      await writeFile(world.path(`in/${number}`), `content of ${number}`)
    expect(await world.run('put', world.path('in'), 'data/')).toMatchObject({ status: 0 })
    // Each time some files fail while the bytes of others still come.
    for (let round = 1; round <= ROUNDS; round += 1) {
      await volume.holdFiles(6 * round)
      const full = await world.run('get', 'data/in/', `${volume.path}/`)
      expect(full).toMatchObject({ status: EXIT.canContinue, signal: null })
      expect(full.lines.at(-1)).toMatchObject({ event: 'failed', code: 'disk-full' })
      expect(full.stderr).toMatch(/Not enough space for in, or the disk takes no more files\./)
      expect(full.stderr).not.toMatch(/\d bytes/)
    }
    await volume.holdFiles(10 * FILES)
    expect(await world.run('get', 'data/in/', `${volume.path}/`)).toMatchObject({ status: EXIT.done })
    const names = await readdir(`${volume.path}/in`).catch(() => readdir(volume.path))
    expect(names.filter((name) => name !== 'in')).toHaveLength(FILES)
  } finally {
    await volume.close()
  }
})
