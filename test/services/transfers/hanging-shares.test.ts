import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeTaken } from '../../../electron/services/transfers/taken-uploads.ts'
import { mountShare } from '../../soak/hanging-share.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const FILES = 10

test('shares that hang while their files are looked at leave a thread for all other files', async (context) => {
  const root = await tempDir()
  const shares = await Promise.all(['nas', 'films', 'sound'].map((name) => mountShare(join(root, name), FILES)))
  context.skip(shares.includes(null), 'mounting takes bindfs')
  const mounted = shares.filter((share) => share !== null)
  for (const share of mounted) share.hang()
  let looked = 0
  const looks = mounted.map(async ({ files }) => {
    const taken = new Map(files.map((sourcePath) => [{ sourcePath, key: sourcePath }, null]))
    const described = await describeTaken({ files: taken, isCertain: true })
    looked += 1
    return described.files
  })
  // Each of these takes one of Node's threads, which must come back.
  for (let round = 0; round < 20; round += 1) await stat(root)
  expect(looked).toBe(0)
  for (const share of mounted) share.comeBack()
  const sizes = (await Promise.all(looks)).flat().map(({ ours }) => ours.sizeBytes)
  expect(sizes).toEqual(Array(mounted.length * FILES).fill(1))
})
