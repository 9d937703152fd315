import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { withSigning } from '../../scripts/packages/signing.mjs'

const KEY = '-----BEGIN PRIVATE KEY-----\nMIGT\n-----END PRIVATE KEY-----'

it('takes a secret that is not set for none, and leaves everything else', async () => {
  const environment: Record<string, string> = {
    ...{ CSC_LINK: '', CSC_KEY_PASSWORD: '', WIN_CSC_LINK: '', WIN_CSC_KEY_PASSWORD: '' },
    ...{ APPLE_API_KEY: '', APPLE_API_KEY_ID: '', APPLE_API_ISSUER: '', CSC_NAME: 'The Sluice authors', OTHER: '' },
  }
  const seen: unknown = await withSigning(environment, () => Promise.resolve({ ...environment }))
  expect(seen).toEqual({ CSC_NAME: 'The Sluice authors', OTHER: '' })
})

it('gives Apple’s key as a file that its owner alone may read, for as long as it is needed', async () => {
  const environment = { APPLE_API_KEY: KEY }
  const file: unknown = await withSigning(environment, async () => {
    const path = environment.APPLE_API_KEY
    expect(await readFile(path, 'utf8')).toBe(KEY)
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    return path
  })
  await expect(stat(String(file))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(environment.APPLE_API_KEY).toBe(KEY)
})

it('removes that file after a build that failed, too', async () => {
  const environment = { APPLE_API_KEY: KEY }
  let file = ''
  const failing = withSigning(environment, async () => {
    file = environment.APPLE_API_KEY
    await stat(file)
    throw new Error('no identity')
  })
  await expect(failing).rejects.toThrow('no identity')
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('leaves a key that is a file already', async () => {
  const environment = { APPLE_API_KEY: '/keys/key.p8' }
  expect(await withSigning(environment, () => Promise.resolve(environment.APPLE_API_KEY))).toBe('/keys/key.p8')
})
