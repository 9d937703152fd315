import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import * as https from 'node:https'
import { expect, it } from 'vitest'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { runCli, startCli } from '../../support/tools/run-cli.ts'
import { listenUntilTestEnds } from '../../support/servers/scripted-server.ts'

const MIB = 1024 * 1024
const NO_PROXIES = {
  http_proxy: '',
  https_proxy: '',
  all_proxy: '',
  no_proxy: '',
  HTTP_PROXY: '',
  HTTPS_PROXY: '',
  ALL_PROXY: '',
  NO_PROXY: '',
}

it('goes through the proxy of the environment, and goes on after the proxy was away', async () => {
  const world = await createCliWorld()
  const proxy = await startHttpProxy({ signIn: { user: 'ann', password: 'secret' } })
  const environment = {
    ...{ ...NO_PROXIES, ...world.environment },
    HTTP_PROXY: `http://ann:secret@127.0.0.1:${proxy.port}`,
  }
  const content = randomBytes(24 * MIB)
  await writeFile(world.path('source'), content)
  expect(await runCli(['put', world.path('source'), 'key'], environment)).toMatchObject({ status: 0 })
  const slow = world.proxy.rule({ when: { method: 'GET' }, fault: { kind: 'limit', bytesPerSecond: 4 * MIB } })
  const before = proxy.requests.length
  const running = startCli(['get', 'key', world.path('copy')], environment)
  await expect.poll(() => proxy.requests.length).toBeGreaterThan(before)
  await expect.poll(() => proxy.broughtBytes).toBeGreaterThan(6 * MIB)
  await proxy.down()
  slow.remove()
  await proxy.up()
  expect(await running.ended).toMatchObject({ status: 0 })
  expect((await readFile(world.path('copy'))).equals(content)).toBe(true)
  // Every request of the service came through the proxy, and what was there was not fetched again.
  expect(proxy.requests.length).toBeGreaterThanOrEqual(world.proxy.log.length)
  expect(proxy.broughtBytes).toBeLessThan(32 * MIB)
})

it('bypasses the proxy for the hosts that NO_PROXY names, and says what it needs of a proxy', async () => {
  const world = await createCliWorld()
  const proxy = await startHttpProxy({ signIn: { user: 'ann', password: 'secret' } })
  const run = (changes: Readonly<Record<string, string>>) =>
    runCli(['ls'], { ...NO_PROXIES, ...world.environment, ...changes })
  expect(await run({ ALL_PROXY: proxy.address, NO_PROXY: '10.0.0.0/8,127.0.0.0/8' })).toMatchObject({ status: 0 })
  expect(proxy.requests).toEqual([])
  const unsigned = await run({ http_proxy: proxy.address })
  expect(unsigned).toMatchObject({ status: 1, stderr: expect.stringMatching(/The proxy requires sign-in/) as string })
  expect(unsigned.lines.at(-1)).toMatchObject({ code: 'proxy-sign-in' })
  const wrong = await run({ http_proxy: `http://ann:hidden@127.0.0.1:${proxy.port}` })
  expect(JSON.stringify(wrong)).not.toContain('hidden')
  const socks = await run({ ALL_PROXY: 'socks5://me:hidden@127.0.0.1:1080' })
  expect(socks).toMatchObject({ status: 2, stderr: 'sluice: ALL_PROXY must name a proxy that begins with http://.\n' })
})

it.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'AWS_CA_BUNDLE'])('trusts what %s names', async (name) => {
  const world = await createCliWorld()
  const server = https.createServer(CERTIFICATES.good, (_request, response) =>
    response.writeHead(200, { etag: '"e"', 'content-length': 7 }).end('content'),
  )
  const link = `${await listenUntilTestEnds(server, 'https')}/file`
  const environment = { ...NO_PROXIES, SLUICE_STATE_DIR: world.stateFolder }
  await writeFile(world.path('ca.pem'), `# office\n${CERTIFICATES.otherHost.cert}\n${CERTIFICATES.good.cert}\n`)
  const untrusting = await runCli(['get', link, world.path('copy')], environment)
  expect(untrusting.lines.at(-1)).toMatchObject({ code: 'certificate-untrusted' })
  const trusting = await runCli(['get', link, world.path('copy')], { ...environment, [name]: world.path('ca.pem') })
  expect(trusting).toMatchObject({ status: 0 })
  expect(await readFile(world.path('copy'), 'utf8')).toBe('content')
  const missing = await runCli(['get', link, world.path('copy')], { ...environment, [name]: world.path('none') })
  expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining(`${name} names`) as string })
})
