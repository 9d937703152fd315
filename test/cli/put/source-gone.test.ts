import { rename } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

it('names a file that goes while it is uploaded, transfers the others, and goes on once it is back', async () => {
  const world = await createCliWorld()
  const [gone, other] = [world.path('gone'), world.path('other')]
  for (const path of [gone, other]) await writeRandomFile(path, 24 * MIB)
  const part = { method: 'PUT', path: '/to/gone', query: { partNumber: true } }
  const put = ['put', gone, other, 'to/']
  const command = world.start(...put, '--limit-rate', '6M')
  await world.proxy.seen(part, 1)
  await rename(gone, `${gone}.away`)
  const ended = await command.ended
  expect(ended.stderr).toMatch(
    new RegExp(`^sluice: The file is no longer at ${gone}\\.( What was transferred is kept\\.)?\\n$`),
  )
  expect([ended.status, ended.lines.at(-1)?.['code']]).toEqual([1, 'source-missing'])
  expect(ended.lines).toContainEqual(expect.objectContaining({ event: 'done', key: 'to/other' }))
  await rename(`${gone}.away`, gone)
  expect(await world.run(...put)).toMatchObject({ status: 0 })
})
