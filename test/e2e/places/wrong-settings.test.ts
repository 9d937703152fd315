import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { DEFAULT_PROXY, type ProxyMode } from '../../../shared/ipc/network-requests.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startBuckets } from '../../support/servers/s3-buckets.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { startTlsFront } from '../../support/servers/tls-front.ts'

const KEYS = { accessKeyId: 'AK', secretAccessKey: 'right' }

/** What is entered in place of what would work. */
interface Wrong {
  readonly service?: string
  readonly endpoint: string
  readonly bucket?: string
  readonly accessKeyId?: string
  readonly secretKey?: string
  readonly proxyPort?: number
}

/** A service that answers whatever it is asked with this code. */
async function refusing(status: number, code: string): Promise<string> {
  const headers = { 'x-amz-request-id': 'tx-1' }
  return (await startScript([{ status, headers, body: `<Error><Code>${code}</Code></Error>` }])).endpoint
}

/** A service whose clock is an hour ahead. */
async function ahead(status: number, body: string): Promise<string> {
  const headers = () => ({ date: new Date(Date.now() + 3_600_000).toUTCString() })
  return (await startScript([() => ({ status, headers: headers(), body })])).endpoint
}

async function fillIn(page: Page, sheet: Locator, wrong: Wrong): Promise<void> {
  const { service = 'Other S3 service', endpoint, bucket = '', accessKeyId = 'AK', secretKey = 'right' } = wrong
  const proxy = { ...DEFAULT_PROXY, exempt: '', password: null }
  const mode: ProxyMode = wrong.proxyPort === undefined ? 'none' : 'manual'
  const address = { host: '127.0.0.1', port: wrong.proxyPort ?? DEFAULT_PROXY.port }
  await page.evaluate((set) => window.sluice.invoke('network:set-proxy', set), { ...proxy, ...address, mode })
  await page.getByRole('button', { name: 'Add place' }).first().click()
  await sheet.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('option', { name: service }).click()
  await sheet.getByLabel('Endpoint').fill(endpoint)
  await sheet.getByLabel('Bucket', { exact: true }).fill(bucket)
  await sheet.getByLabel('Access key ID').fill(accessKeyId)
  await sheet.getByLabel('Secret key').fill(secretKey)
  await sheet.getByRole('button', { name: 'Test' }).click()
}

async function tryOut(page: Page, sheet: Locator, wrong: Wrong): Promise<string> {
  await fillIn(page, sheet, wrong)
  const report = sheet.getByRole('status')
  await report.waitFor()
  const failed = report.getByRole('listitem', { name: / fails$/ })
  const said = (await failed.count()) > 0 ? await failed.innerText() : await report.innerText()
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.waitFor({ state: 'detached' })
  return said.replace(/\s*\n\s*/g, ' · ')
}

it('says of each wrong setting what is wrong with it', async () => {
  const folder = await tempDir()
  const own = await startDemoStore({ directory: join(folder, 'store'), buckets: ['media'], credentials: KEYS })
  onTestFinished(() => own.close())
  const { endpoint } = await startBuckets({ ...KEYS, region: 'eu-real-2' })
  const secure = await startTlsFront(endpoint, CERTIFICATES.good)
  const signIn = { user: 'ann', password: 'secret' }
  const [office, windows, strict] = await Promise.all([
    startHttpProxy({ signIn }),
    startHttpProxy({ signIn, challenge: 'Negotiate, NTLM' }),
    startHttpProxy({ connectStatus: 403 }),
  ])
  const page404 = await startScript([{ status: 404, body: '<html>Not found</html>' }])
  const busy = await refusing(503, 'SlowDown')
  const listing = '<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>'
  const cases: readonly (readonly [string, Wrong, string | RegExp])[] = [
    ['a wrong access key', { endpoint, accessKeyId: 'KA' }, 'Signature · The service doesn’t know this access key ID.'],
    [
      'a wrong secret key',
      { endpoint, secretKey: 'wrong' },
      'Signature · The secret key doesn’t belong to this access key ID.',
    ],
    [
      'keys that have expired',
      { endpoint: await refusing(400, 'ExpiredToken') },
      'Signature · These keys have expired. Get new ones, with their session token.',
    ],
    [
      'a clock that is off by an hour',
      { endpoint: await ahead(200, listing) },
      /Clock · This computer’s clock is 1 hour behind\. Sluice allows for that\./,
    ],
    [
      'a clock that is off, and a service that insists',
      { endpoint: await ahead(403, '<Error><Code>RequestTimeTooSkewed</Code></Error>') },
      'Clock · This computer’s clock is 1 hour behind, so the service refuses requests. Correct it.',
    ],
    ['another region, which the service names', { endpoint }, /Signature · The region is eu-real-2\./],
    [
      'another region, which it doesn’t name',
      { endpoint: await refusing(400, 'InvalidRegion') },
      'Signature · The service expects a different region than “us-east-1”. Enter the right one.',
    ],
    [
      'http for https',
      { endpoint: secure.replace('https:', 'http:') },
      'Connection · This address wants https, not http. · Use https',
    ],
    [
      'https for http',
      { endpoint: endpoint.replace('http:', 'https:') },
      'Connection · 127.0.0.1 answers without encryption only: what you send could be read on the way. · Use http',
    ],
    [
      'a self-signed certificate',
      { endpoint: secure },
      'Connection · This computer doesn’t trust the certificate of 127.0.0.1: its issuer isn’t trusted. · Show certificate…',
    ],
    [
      'a certificate that has expired',
      { endpoint: await startTlsFront(endpoint, CERTIFICATES.expired) },
      'Connection · The certificate of 127.0.0.1 has expired, or this computer’s clock is wrong. · Show certificate…',
    ],
    [
      'a proxy that wants a password',
      { endpoint: secure, proxyPort: office.port },
      'Connection · The proxy needs a user name and password, or didn’t accept the ones it was given.',
    ],
    [
      'a proxy that takes NTLM alone',
      { endpoint: secure, proxyPort: windows.port },
      'Connection · The proxy requires a kind of sign-in that Sluice doesn’t support, such as NTLM. Set another proxy in Settings.',
    ],
    [
      'a proxy that forbids the service',
      { endpoint: secure, proxyPort: strict.port },
      'Connection · The proxy doesn’t allow connections to 127.0.0.1.',
    ],
    ['a bucket typo', { endpoint, bucket: 'alhpa' }, 'Listing · There is no bucket named “alhpa”. · Use “alpha”'],
    [
      'no permission to list the bucket',
      { endpoint: await refusing(403, 'AccessDenied'), bucket: 'alpha' },
      'Listing · This key isn’t allowed to list bucket “alpha”. If it is meant for one folder, enter that under Advanced. If it can upload or download, save the place as it is.',
    ],
    [
      'no permission to list buckets',
      { endpoint: await refusing(403, 'AccessDenied') },
      'Listing · This key isn’t allowed to list buckets. Enter the name of a bucket.',
    ],
    [
      'S3 for the storage service',
      { endpoint: own.endpoint, bucket: 'media' },
      'Connection · This service doesn’t speak S3. Choose “Object Storage Service”.',
    ],
    [
      'the storage service for S3',
      { service: 'Object Storage Service', endpoint: await refusing(403, 'AccessDenied'), bucket: 'media' },
      'Connection · This service speaks S3. Choose its provider, or “Other S3 service”.',
    ],
    [
      'a port where nothing listens',
      { endpoint: 'http://127.0.0.1:1' },
      'Connection · Nothing answers at 127.0.0.1 on port 1. Check the port. Is the service running?',
    ],
    [
      'a host that isn’t there',
      { endpoint: 'https://no-such-host.invalid' },
      /^Host name · Can’t find no-such-host\.invalid\./,
    ],
    [
      'some other web server',
      { endpoint: page404.endpoint },
      'Connection · What responds at 127.0.0.1 isn’t an S3 service. Check the address and the kind of service.',
    ],
    [
      'a service that is busy',
      { endpoint: busy },
      'Listing · The service is busy or not working (503). Try again later.',
    ],
  ]
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  const sheet = page.getByRole('dialog')
  const told: string[] = []
  for (const [what, wrong, words] of cases) {
    const said = await tryOut(page, sheet, wrong)
    told.push(`${what}\n  ${said}\n`)
    expect(said, what).toEqual(typeof words === 'string' ? words : expect.stringMatching(words))
  }
  // For people to read.
  const out = join(import.meta.dirname, '../../../out')
  await mkdir(out, { recursive: true })
  await writeFile(join(out, 'wrong-settings.txt'), told.join('\n'))
})

it('offers the bucket that was meant, and leads to the field where the key lists none', async () => {
  const folder = await tempDir()
  const { endpoint } = await startBuckets({ ...KEYS, region: 'us-east-1' })
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  const sheet = page.getByRole('dialog')
  const bucket = sheet.getByLabel('Bucket', { exact: true })
  const report = sheet.getByRole('status')
  await fillIn(page, sheet, { endpoint: await refusing(404, 'NoSuchBucket'), bucket: 'alhpa' })
  await report.getByRole('button', { name: 'Change the bucket' }).click()
  await expect.poll(() => bucket.evaluate((field: HTMLInputElement) => field.matches(':focus'))).toBe(true)
  await sheet.getByLabel('Endpoint').fill(endpoint)
  await sheet.getByRole('button', { name: 'Test' }).click()
  await report.getByRole('button', { name: 'Use “alpha”' }).click()
  await expect.poll(() => bucket.inputValue()).toBe('alpha')
  await expect.poll(() => report.getByRole('listitem', { name: / works$/ }).count()).toBe(5)
})
