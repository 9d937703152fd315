import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startScript } from '../../support/servers/scripted-server.ts'
import { runCli } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const S3_REFUSAL = {
  status: 400,
  headers: { 'x-amz-request-id': 'tx1', 'content-type': 'application/xml' },
  body: '<Error><Code>InvalidArgument</Code><Message>Unsupported Authorization Type</Message></Error>',
}

it('tells who forgot it how to speak S3', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'bytes')
  const { endpoint } = await startScript([S3_REFUSAL])
  const environment = { ...world.environment, SLUICE_ENDPOINT: endpoint }
  const hint = expect.stringContaining('This service speaks S3: give --dialect s3.') as string
  for (const command of [['put', world.path('source'), 'key'], ['get', 'key', world.path('copy')], ['ls']]) {
    expect(await runCli(command, environment)).toMatchObject({ status: 1, stderr: hint })
  }
  const right = await runCli(['ls', '--dialect', 's3'], environment)
  expect(right.status).toBe(1)
  expect(right.stderr).not.toContain('--dialect')
})

it('tells the other way round, too', async () => {
  const world = await createCliWorld()
  const hint = expect.stringContaining('give --dialect storage.') as string
  expect(await world.run('ls', '--dialect', 's3')).toMatchObject({ status: 1, stderr: hint })
})

it('says so where keys are missing', async () => {
  const world = await createCliWorld()
  world.proxy.rule({
    fault: { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied","Message":"No."}}' },
  })
  const hint = expect.stringContaining('No key was given: give --access-key and --secret-key-file.') as string
  expect(await world.run('ls')).toMatchObject({ status: 1, stderr: hint })
  const keys = { SLUICE_ACCESS_KEY: 'K', SLUICE_SECRET_KEY: 'S' }
  const { stderr } = await runCli(['ls'], { ...world.environment, ...keys })
  expect(stderr).toContain('AccessDenied')
  expect(stderr).not.toContain('No key was given')
})
