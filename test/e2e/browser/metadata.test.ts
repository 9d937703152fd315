import { expect, it, onTestFinished } from 'vitest'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const LISTING = `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>film.mov</Key><Size>7</Size>
<ETag>"e"</ETag><LastModified>2026-11-21T07:57:32.000Z</LastModified></Contents></ListBucketResult>`
const HEAD = {
  ...{ 'content-length': 7, etag: '"e"', 'x-amz-request-id': 'tx-1' },
  ...{ 'x-amz-meta-camera': 'Alexa 35', 'x-amz-meta-scene': '=?UTF-8?B?WsO8cmljaA==?=' },
}

it('shows the user metadata of an object of S3', async () => {
  const { endpoint } = await startScript([
    ({ method }) => (method === 'HEAD' ? { status: 200, headers: HEAD } : { status: 200, body: LISTING }),
  ])
  const { page, close } = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(close)
  await page.evaluate((place) => window.sluice.invoke('places:add', place), {
    ...({ name: 'Studio', endpoint, bucket: 'media', dialect: 's3', pathStyle: true, scheme: 'STORAGE' } as const),
    ...({ signature: 'none', region: '', accessKeyId: '', secretAccessKey: '', sessionToken: '' } as const),
    ...({ profile: '', preset: 's3', color: 'none' } as const),
  })
  await page.reload()
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
  await page.getByRole('row', { name: 'film.mov', exact: true }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByText('Alexa 35').waitFor()
  const facts = await inspector.getByRole('definition').allTextContents()
  expect(facts).toEqual(expect.arrayContaining(['Alexa 35', 'Zürich', 'tx-1']))
  await shot(page, 'metadata')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'metadata-dark')
})
