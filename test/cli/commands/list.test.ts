import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createCliWorld } from '../../support/worlds/cli-world.ts'
import { runCli } from '../../support/tools/run-cli.ts'

it('lists folders and objects of a bucket, and without one the buckets', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('a.txt'), 'a')
  await world.run('put', world.path('a.txt'), 'top/deep/')
  await world.run('put', world.path('a.txt'), 'top/')
  expect((await world.run('ls', 'top/')).lines).toMatchObject([
    { prefix: 'top/deep/' },
    { key: 'top/a.txt', sizeBytes: 1 },
  ])
  const environment = { SLUICE_ENDPOINT: world.proxy.endpoint }
  expect(await runCli(['ls'], environment)).toMatchObject({ status: 0, lines: [{ bucket: 'demo', createdAt: null }] })
  expect(await runCli(['ls', 's3://demo/top/'], environment)).toMatchObject({ status: 0 })
  expect(await runCli(['ls', 'top/'], environment)).toMatchObject({ status: 2 })
  const typo = await runCli(['ls', 's3://deom/'], environment)
  expect(typo.lines).toMatchObject([{ event: 'failed', message: 'There is no bucket of that name. (NoSuchBucket)' }])
})
