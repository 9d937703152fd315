import * as https from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { enqueueLink, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { listenUntilTestEnds, startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('trusts a server by its certificate, and goes through the proxy that is set, from then on', async () => {
  const folder = await tempDir()
  const server = https.createServer(CERTIFICATES.good, (_request, response) => {
    response.writeHead(200, { etag: '"e"', 'content-length': 7 }).end('content')
  })
  const endpoint = await listenUntilTestEnds(server, 'https')
  const host = new URL(endpoint).host
  const signIn = { user: 'ann', password: 'secret' }
  const proxy = await startHttpProxy({ signIn, hosts: { 'store.invalid:443': host } })
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, folder)
  const sheet = page.getByRole('dialog')

  await enqueueLink(page, `${endpoint}/first`, folder)
  await transferRow(page, 'first').getByRole('button', { name: 'Show certificate…' }).click()
  await sheet.getByText('It is self-signed: only the server itself vouches for it.').waitFor()
  await shot(page, 'certificate')
  await sheet.getByRole('button', { name: `Trust this certificate for ${host}` }).click()
  await reads(transferRow(page, 'first'), /Done|Verified|checked/i)

  await page.keyboard.press('ControlOrMeta+,')
  await sheet.getByRole('tab', { name: 'Network' }).click()
  await sheet.getByText(host).waitFor()
  await sheet.getByText('Manual').click()
  await sheet.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await sheet.getByLabel('Port', { exact: true }).fill(String(proxy.port))
  await shot(page, 'settings-network')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })

  await enqueueLink(page, 'https://store.invalid/second', folder)
  await reads(transferRow(page, 'second'), 'The proxy requires sign-in.')
  await transferRow(page, 'second').getByRole('button', { name: 'Network settings…' }).click()
  await sheet.getByLabel('User name').fill('ann')
  await sheet.getByLabel('Password').fill('secret')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  const before = proxy.tunnels.length
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.sluice.invoke('transfers:retry', { ids: 'all' }))
  // Trusted was one host and port; the same certificate of another is asked about.
  await transferRow(page, 'second').getByRole('button', { name: 'Show certificate…' }).click()
  await sheet.getByRole('button', { name: 'Trust this certificate for store.invalid:443' }).click()
  await reads(transferRow(page, 'second'), /Done|Verified|checked/i)
  expect(proxy.tunnels.slice(before)).toContain('store.invalid:443')
})

it('follows the script of a network, and says in words which proxies it can’t use', async () => {
  const folder = await tempDir()
  const server = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const hosts = { 'store.invalid': new URL(server.endpoint).host, 'ntlm.invalid': new URL(server.endpoint).host }
  const proxy = await startHttpProxy({ hosts })
  const office = await startHttpProxy({
    signIn: { user: 'ann', password: 'secret' },
    challenge: 'NTLM, Negotiate',
    hosts,
  })
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, folder)
  const script = `function FindProxyForURL(url, host) {
    if (host === 'store.invalid') return 'PROXY 127.0.0.1:${proxy.port}'
    if (host === 'ntlm.invalid') return 'PROXY 127.0.0.1:${office.port}'
    return host === 'socks.invalid' ? 'SOCKS5 127.0.0.1:1' : 'DIRECT'
  }`
  await app.evaluate(async ({ session }, pac) => {
    const pacScript = `data:application/x-ns-proxy-autoconfig,${encodeURIComponent(pac)}`
    await session.defaultSession.setProxy({ mode: 'pac_script', pacScript })
  }, script)
  for (const host of ['store', 'ntlm', 'socks']) {
    await enqueueLink(page, `http://${host}.invalid/${host}.mov`, folder)
  }
  await reads(transferRow(page, 'store.mov'), /Done|Verified|checked/i)
  expect(proxy.requests).toContain('http://store.invalid/store.mov')
  await reads(
    transferRow(page, 'ntlm.mov'),
    'The proxy requires a kind of sign-in that Sluice doesn’t support, such as NTLM.',
  )
  await reads(transferRow(page, 'socks.mov'), 'The system’s proxy is of a kind Sluice can’t use, such as SOCKS.')
  await shot(page, 'proxies-refused')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'proxies-refused-dark')

  // Once a proxy is set that can be used, both go on by themselves.
  await transferRow(page, 'ntlm.mov').getByRole('button', { name: 'Network settings…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Manual').click()
  await sheet.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await sheet.getByLabel('Port', { exact: true }).fill(String(proxy.port))
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'ntlm.mov'), /Done|Verified|checked/i)
  await expect.poll(() => proxy.requests).toContain('http://socks.invalid/socks.mov')
})
