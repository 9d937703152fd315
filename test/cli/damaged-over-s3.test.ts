import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { startFaultProxy } from '../support/fault-server/fault-server.ts'
import { startS3Service } from '../support/servers/s3-service.ts'
import { writeRandomFile } from '../support/tools/random-file.ts'
import { runCli } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it.each([
  ['of several parts', 15 * MIB + 5, 2 * MIB + 77, 'etag-multipart'],
  ['of one', 3 * MIB, MIB, 'etag-md5'],
])('notices a damaged body of an object %s, each way over S3', async (_, sizeBytes, at, verification) => {
  const folder = await tempDir()
  const service = await startS3Service('media')
  const proxy = await startFaultProxy({ target: service.endpoint })
  onTestFinished(() => proxy.close())
  const environment = {
    ...{ SLUICE_ENDPOINT: proxy.endpoint, SLUICE_BUCKET: 'media', SLUICE_DIALECT: 's3', SLUICE_REGION: 'us-east-1' },
    ...{ SLUICE_ACCESS_KEY: 'AK', SLUICE_SECRET_KEY: 'secret', SLUICE_STATE_DIR: join(folder, 'state') },
  }
  const source = join(folder, 'film.mov')
  await writeRandomFile(source, sizeBytes)
  const up = proxy.rule({ when: { method: 'PUT' }, times: 1, fault: { kind: 'corrupt', requestByte: at } })
  expect(await runCli(['put', source, 'film.mov'], environment)).toMatchObject({ status: 0 })
  expect(up.hits).toBe(1)
  const down = proxy.rule({
    when: { method: 'GET', path: 'film.mov' },
    times: 1,
    fault: { kind: 'corrupt', responseByte: at },
  })
  await mkdir(join(folder, 'to'))
  const got = await runCli(['get', 'film.mov', join(folder, 'to/')], environment)
  expect(got).toMatchObject({ status: 0 })
  expect(down.hits).toBe(1)
  expect(got.lines.at(-1)).toMatchObject({ verification })
  expect((await readFile(join(folder, 'to', 'film.mov'))).equals(await readFile(source))).toBe(true)
})
