import { writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { listUploads } from '../../../electron/cli/commands/list.ts'
import type { CommandConnection } from '../../../electron/cli/connection.ts'
import type { Output } from '../../../electron/cli/output.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'
import { runCli, startCli } from '../../support/tools/run-cli.ts'
import { startScript } from '../../support/servers/scripted-server.ts'

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

it('lists unfinished uploads in columns, however exactly a service tells their time', async () => {
  const lines: string[] = []
  const uploads = ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z', null].map((initiated, index) => ({
    ...{ key: 'key', uploadId: `id-${index}`, initiated },
  }))
  const page = { uploads, next: null, requestId: null }
  const connection = {
    address: () => ({ location: { kind: 'place', placeId: '', bucket: 'demo' }, key: '' }),
    open: () => ({ listMultipartUploads: () => Promise.resolve(page) }),
    giveUpAfter: () => 0,
  } as unknown as CommandConnection
  const output = {
    result: (_json: unknown, text: string) => lines.push(text),
    hasReader: () => Promise.resolve(true),
  } as unknown as Output
  await listUploads(connection, output, new AbortController().signal)
  expect(lines.map((line) => line.indexOf('id-'))).toEqual([26, 26, 26])
})

it.each([
  [
    'ls',
    (at: number) => ({ NextMarker: `k${at}`, Contents: [{ Key: `k${at}`, Size: 1, ETag: 'e', LastModified: 't' }] }),
  ],
  [
    'uploads',
    (at: number) => ({ NextKeyMarker: `k${at}`, NextUploadIdMarker: 'u', Uploads: [{ Key: `k${at}`, UploadId: 'u' }] }),
  ],
] as const)('%s ends when nobody reads on, however much there is', async (name, pageAt) => {
  let at = 1_000_000
  const { endpoint } = await startScript([
    () => ({ status: 200, body: JSON.stringify({ IsTruncated: true, ...pageAt((at += 1)) }) }),
  ])
  const command = startCli([name], { SLUICE_ENDPOINT: endpoint, SLUICE_BUCKET: 'demo' })
  onTestFinished(() => void command.process.kill('SIGKILL'))
  command.process.stdout?.once('data', () => command.process.stdout?.destroy())
  expect(await command.ended).toMatchObject({ status: 0, stderr: '' })
})
