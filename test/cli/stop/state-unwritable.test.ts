import { once } from 'node:events'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { EXIT } from '../../../electron/cli/exit-status.ts'
import { openStateFolder } from '../../../electron/cli/session/state-folder.ts'
import { CheckpointError } from '../../../electron/engine/checkpoint/database/checkpoint-error.ts'
import { MIB } from '../../../shared/limits.ts'
import { mountSmallVolume, type SmallVolume } from '../../soak/small-volume.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import type { CliResult } from '../../support/tools/run-cli.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

interface StateOnVolume {
  readonly world: CliWorld
  readonly volume: SmallVolume
  /** The state folder, on the volume. */
  readonly folder: string
  /** The arguments of a slow upload. */
  readonly put: readonly string[]
}

/** An upload whose state folder is on a small volume of its own. The test is skipped where none can be mounted. */
async function createStateOnVolume(test: TestContext): Promise<StateOnVolume> {
  const world = await createCliWorld()
  const volume = await mountSmallVolume(world.path('small'), 4 * MIB)
  if (volume === null) return test.skip('mounting takes Linux and root')
  onTestFinished(() => volume.close())
  const folder = `${volume.path}/state`
  await writeRandomFile(world.path('file'), 48 * MIB)
  return { world, volume, folder, put: ['put', world.path('file'), 'file', '--state-dir', folder] }
}

function expectUnsaved({ status, stderr, lines }: CliResult, folder: string, kept = ''): void {
  expect(stderr).toBe(`sluice: Can’t save progress: the disk that holds ${folder} is full or read-only.${kept}\n`)
  expect(lines.at(-1)).toMatchObject({ event: 'failed', code: 'state-unwritable' })
  expect(status).toBe(EXIT.canContinue)
}

const PART = { method: 'PUT', query: { partNumber: true } }

describe('a state folder that can’t be written', () => {
  it('because its disk fills up in mid-upload is named, and the next command goes on', async (test) => {
    const { world, volume, folder, put } = await createStateOnVolume(test)
    const command = world.start(...put, '--limit-rate', '6M')
    await world.proxy.seen(PART, 3)
    await volume.fill()
    expectUnsaved(await command.ended, folder, ' What was transferred is kept.')
    await volume.free()
    const again = await world.run(...put)
    expect(again).toMatchObject({ status: EXIT.done })
    expect(again.lines[0]?.['confirmedBytes']).toBeGreaterThan(0)
  })

  it('because its disk is read-only is named, and the next command goes on', async (test) => {
    const { world, volume, folder, put } = await createStateOnVolume(test)
    const killed = world.start(...put, '--limit-rate', '6M')
    await world.proxy.seen(PART, 3)
    killed.process.kill('SIGKILL')
    await once(killed.process, 'close')
    await volume.setReadOnly(true)
    expectUnsaved(await world.run(...put), folder)
    await volume.setReadOnly(false)
    expect(await world.run(...put)).toMatchObject({ status: EXIT.done })
  })

  it('because its disk takes no more files is named, whichever of them is missing', async (test) => {
    const { world, volume, folder, put } = await createStateOnVolume(test)
    for (let files = 1; files <= 4; files += 1) {
      await volume.holdFiles(files)
      expectUnsaved(await world.run(...put), folder)
    }
    await volume.holdFiles(100)
    expect(await world.run(...put)).toMatchObject({ status: EXIT.done })
  })

  it('because it belongs to somebody else is named with the reason, and what to do', async () => {
    const folder = await tempDir()
    const cause = Object.assign(new Error(`EACCES: permission denied, access '${folder}/transfers.db'`), {
      ...{ code: 'EACCES', path: `${folder}/transfers.db` },
    })
    const opening = openStateFolder(folder, () => Promise.reject(new CheckpointError('unusable', 'No list.', cause)))
    await expect(opening).rejects.toMatchObject({
      code: 'state-unwritable',
      exitStatus: EXIT.needsPerson,
      message: `Can’t keep what the command would continue from: ${folder}/transfers.db: permission denied. Name another folder with --state-dir.`,
    })
  })
})
