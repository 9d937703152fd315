import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { runCli } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('moves a file of 1 GiB up and down unchanged, and leaves nothing else behind', { timeout: 300_000 }, async () => {
  const folder = await tempDir()
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['demo'], credentials: null })
  onTestFinished(() => store.close())
  const environment = {
    SLUICE_ENDPOINT: store.endpoint,
    SLUICE_BUCKET: 'demo',
    SLUICE_STATE_DIR: join(folder, 'state'),
  }
  const source = join(folder, 'source')
  const digest = await writeRandomFile(source, 1024 ** 3)
  const up = await runCli(['put', source, 'big'], environment)
  expect(up.lines.at(-1)).toMatchObject({ event: 'done', sizeBytes: 1024 ** 3, verification: 'etag-multipart' })
  const down = await runCli(['get', 'big', `${join(folder, 'target')}/`], environment)
  expect(down.lines.at(-1)).toMatchObject({ event: 'done', sizeBytes: 1024 ** 3, verification: 'etag-multipart' })
  expect(await readdir(join(folder, 'target'))).toEqual(['big'])
  expect(await sha256Of(join(folder, 'target', 'big'))).toBe(digest)
  expect(await readdir(join(folder, 'state'))).toEqual(['sidecar.key'])
})
