import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { canary, hasCanary } from '../support/tools/canaries.ts'
import { runCli, runText } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('prints what helps, and neither secrets nor addresses', async () => {
  const state = await tempDir()
  await mkdir(join(state, '0123456789abcdef'))
  await writeFile(join(state, '0123456789abcdef', 'transfers.db'), 'x'.repeat(5000))
  const secrets = { key: canary('key'), token: canary('token'), proxy: canary('proxy') }
  const environment = {
    ...{ SLUICE_SECRET_KEY: secrets.key, AWS_SESSION_TOKEN: secrets.token, SLUICE_DIALECT: 's3' },
    ...{ https_proxy: `http://ann:${encodeURIComponent(secrets.proxy)}@proxy.example.com:3128` },
    SLUICE_ENDPOINT: 'https://store.example.com',
  }
  const plain = await runText(['report', '--state-dir', state], environment)
  expect(plain).toMatchObject({ status: 0, stderr: '' })
  const json = await runCli(['report', '--state-dir', state, '--json'], environment)
  expect(json.lines[0]).toMatchObject({
    event: 'report',
    Environment: { SLUICE_SECRET_KEY: 'set', SLUICE_DIALECT: 's3', https_proxy: 'set' },
    'Kept by commands that can be continued': {
      '0123456789abcdef': expect.stringMatching(/^transfers\.db 5 kB, 20/) as string,
    },
  })
  const all = JSON.stringify([plain, json])
  expect(hasCanary(secrets, all)).toEqual([])
  expect(['example.com', homedir()].filter((name) => all.includes(name))).toEqual([])
})
