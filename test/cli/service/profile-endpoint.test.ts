import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startBuckets } from '../../support/servers/s3-buckets.ts'
import { runCli } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const KEYS = { accessKeyId: 'AK', secretAccessKey: 'of-the-profile', region: 'us-east-1' }

it('goes to the service that the profile names, unless another is given', async () => {
  const [own, other] = [await startBuckets(KEYS), await startBuckets(KEYS)]
  const world = await createCliWorld()
  const keys = '[studio]\naws_access_key_id=AK\naws_secret_access_key=of-the-profile\n'
  await writeFile(world.path('credentials'), `${keys}endpoint_url=${own.endpoint}\n`)
  const environment = {
    AWS_CONFIG_FILE: world.path('config'),
    AWS_SHARED_CREDENTIALS_FILE: world.path('credentials'),
    SLUICE_STATE_DIR: world.stateFolder,
  }
  const ls = ['ls', '--dialect', 's3', '--profile', 'studio']
  expect(await runCli(ls, environment)).toMatchObject({ status: 0 })
  expect(own.requests.length).toBeGreaterThan(0)
  const before = own.requests.length
  expect(await runCli([...ls, '--endpoint', other.endpoint], environment)).toMatchObject({ status: 0 })
  expect(own.requests.length).toBe(before)
  expect(other.requests.length).toBeGreaterThan(0)
})
