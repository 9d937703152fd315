import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, it } from 'vitest'
import { systemAuthorities } from '../../../electron/stores/network/authorities.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const [own, other] = [CERTIFICATES.good.cert, CERTIFICATES.otherHost.cert]
const [known = ''] = rootCertificates

/** Lists of trusted certificates as distributions have them: the first is not there, the second is empty. */
async function bundles(): Promise<readonly string[]> {
  const folder = await tempDir()
  const paths = ['none.pem', 'empty.pem', 'full.pem', 'later.pem'].map((name) => join(folder, name))
  const [, empty = '', full = '', later = ''] = paths
  await writeFile(empty, '# nothing')
  await writeFile(full, `# trusted\n${known}\n${own}\n${own}\n`)
  await writeFile(later, other)
  return paths
}

it('asks Node what the system trusts beyond it', async () => {
  expect(await systemAuthorities(await bundles(), () => [known, other])).toEqual([other])
})

it('takes the first list that has something where Node knows of none or fails', async () => {
  expect(await systemAuthorities(await bundles(), () => [])).toEqual([own])
  const failing = (): never => {
    throw new Error('not in this build')
  }
  expect(await systemAuthorities(await bundles(), failing)).toEqual([own])
})
