// What keys may not do (docs/providers.md, What a key must be allowed to do).

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import type { RequestMatch } from '../../support/fault-server/fault-rules.ts'

const REFUSED = { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied","Message":"No."}}' } as const
const BUCKET = /^\/demo\/?$/
const KEY = /^\/demo\/./

type Right =
  'GetObject' | 'ListBucket' | 'ListBucketMultipartUploads' | 'ListMultipartUploadParts' | 'AbortMultipartUpload'

/** The requests that each right allows. */
const RIGHTS: Readonly<Record<Right, readonly RequestMatch[]>> = {
  GetObject: [
    { method: 'HEAD', path: KEY },
    { method: 'GET', path: KEY, query: { uploadId: false } },
  ],
  ListBucket: [{ method: 'GET', path: BUCKET, query: { uploads: false } }],
  ListBucketMultipartUploads: [{ method: 'GET', path: BUCKET, query: { uploads: true } }],
  ListMultipartUploadParts: [{ method: 'GET', path: KEY, query: { uploadId: true } }],
  AbortMultipartUpload: [{ method: 'DELETE', path: KEY, query: { uploadId: true } }],
}
const ALL = Object.keys(RIGHTS) as Right[]

/** Denies rights. @returns what grants them again. */
function deny({ proxy }: CliWorld, rights: readonly Right[]): () => void {
  const rules = rights.flatMap((right) => RIGHTS[right]).map((when) => proxy.rule({ when, fault: REFUSED }))
  return () => {
    for (const rule of rules) rule.remove()
  }
}

async function isSame(world: CliWorld, one: string, other: string): Promise<boolean> {
  return (await readFile(world.path(one))).equals(await readFile(world.path(other)))
}

const CASES = [...ALL.map((right) => ({ what: right, rights: [right] })), { what: 'any of these', rights: ALL }]

it.each(CASES)('puts a file, and goes on after a kill, without $what', async ({ rights }) => {
  const world = await createCliWorld()
  const grant = deny(world, rights)
  await writeRandomFile(world.path('small'), 1000)
  expect(await world.run('put', world.path('small'), 'small')).toMatchObject({ status: 0 })

  await writeRandomFile(world.path('source'), 24 * MIB)
  const held = world.proxy.rule({
    when: { method: 'PUT', query: { partNumber: 4 } },
    fault: { kind: 'stall', at: 'request' },
  })
  const begun = world.start('put', world.path('source'), 'key')
  const parts = () => world.proxy.requests({ method: 'PUT', query: { partNumber: true } })
  await expect.poll(() => parts().filter(({ status }) => status === 200).length, { timeout: 20_000 }).toBeGreaterThan(2)
  begun.process.kill('SIGKILL')
  await begun.ended
  held.remove()
  const before = parts().length
  expect(await world.run('put', world.path('source'), 'key')).toMatchObject({ status: 0 })
  const partNumbers = new Set(parts().map(({ url }) => new URL(url, 'http://any').searchParams.get('partNumber')))
  expect(parts().length - before).toBeLessThan(partNumbers.size)

  grant()
  expect(await world.run('get', 'key', world.path('copy'))).toMatchObject({ status: 0 })
  expect(await isSame(world, 'source', 'copy')).toBe(true)
})

it.each(['replace', 'keep-both', 'skip', 'skip-identical'])(
  'keys that may write but not read are enough to put files, with --if-exists %s',
  async (ifExists) => {
    const world = await createCliWorld()
    deny(world, ALL)
    for (const sizeBytes of [1000, 12 * MIB]) {
      await writeRandomFile(world.path('source'), sizeBytes)
      const put = await world.run('put', world.path('source'), `of-${sizeBytes}`, '--if-exists', ifExists)
      expect(put).toMatchObject({ status: 0 })
    }
    expect(world.proxy.requests({ method: 'HEAD' }).length).toBeGreaterThan(0)
  },
)

it('gets an object with nothing but the right to get it', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('source'), 24 * MIB)
  expect(await world.run('put', world.path('source'), 'key')).toMatchObject({ status: 0 })
  deny(
    world,
    ALL.filter((right) => right !== 'GetObject'),
  )
  expect(await world.run('get', 'key', world.path('copy'))).toMatchObject({ status: 0 })
  expect(await isSame(world, 'source', 'copy')).toBe(true)
})
