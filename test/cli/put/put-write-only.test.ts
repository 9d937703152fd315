import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const REFUSED = { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied","Message":"No."}}' } as const

it.each(['replace', 'keep-both', 'skip', 'skip-identical'])(
  'keys that may write but not read are enough to put files, with --if-exists %s',
  async (ifExists) => {
    const world = await createCliWorld()
    const refusals = ['HEAD', 'GET'].map((method) => world.proxy.rule({ when: { method }, fault: REFUSED }))
    for (const sizeBytes of [1000, 12 * MIB]) {
      await writeRandomFile(world.path('source'), sizeBytes)
      const put = await world.run('put', world.path('source'), `of-${sizeBytes}`, '--if-exists', ifExists)
      expect(put).toMatchObject({ status: 0 })
    }
    expect(world.proxy.requests({ method: 'HEAD' }).length).toBeGreaterThan(0)
    for (const refusal of refusals) refusal.remove()
    expect(await world.run('get', `of-${12 * MIB}`, world.path('copy'))).toMatchObject({ status: 0 })
    const [source, copy] = await Promise.all(['source', 'copy'].map((name) => readFile(world.path(name))))
    expect(copy?.equals(source as Buffer)).toBe(true)
  },
)
