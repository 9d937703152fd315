import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createProfileCredentials } from '../../../../electron/stores/index.ts'
import { startScript } from '../../../support/servers/scripted-server.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

let credentials: string

beforeEach(async () => {
  const folder = await tempDir()
  credentials = join(folder, 'credentials')
  await writeFile(credentials, '[studio]\naws_access_key_id = AKIA\naws_secret_access_key = one\n')
  await writeFile(join(folder, 'config'), '[profile expired]\ncredential_process = false\n')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials)
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  return () => vi.unstubAllEnvs()
})

test.each(['misspelled', 'expired'])(
  'takes no keys of the machine for those of a profile that is %s',
  async (profile) => {
    const machine = await startScript([
      { status: 200, body: JSON.stringify({ AccessKeyId: 'ASIA', SecretAccessKey: 'of the machine', Token: 'token' }) },
    ])
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${machine.endpoint}/credentials`)
    const refusal = `The profile ${profile} supplied no keys: `
    await expect(createProfileCredentials(profile)({ isRefused: false })).rejects.toThrow(refusal)
    expect(machine.requests).toEqual([])
  },
)

test('takes the keys of the profile beside those of the environment, without a word to the terminal', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIB')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'other')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const keys = await createProfileCredentials('studio')({ isRefused: false })
  expect(keys).toEqual({ accessKeyId: 'AKIA', secretAccessKey: 'one' })
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

test('reads the file again once its keys were refused', async () => {
  const source = createProfileCredentials('studio')
  await source({ isRefused: false })
  await writeFile(credentials, '[studio]\naws_access_key_id = AKIA\naws_secret_access_key = two\n')
  expect(await source({ isRefused: true })).toEqual({ accessKeyId: 'AKIA', secretAccessKey: 'two' })
})
