import { readFile, writeFile } from 'node:fs/promises'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createGiveUpAfter } from '../../../electron/cli/give-up-after.ts'
import { networkError } from '../../../electron/stores/http/wire/network-error.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { NOBODY_LISTENS } from '../../support/servers/nobody-listens.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { hasSignals, runCli, type RunningCli } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const MINUTE_MS = 60_000
const system = (code: string): Error => Object.assign(new Error('failed'), { code })
const refused = networkError(system('ECONNREFUSED'), 'host:81')

it('waits longer for what was there than for what never was', () => {
  let hasConnected = false
  const giveUpAfter = createGiveUpAfter(null, () => hasConnected)
  const proxy = new StoreError(STORE_ERROR.proxy, 'refused', { trouble: { code: 'connection-refused', host: 'p:1' } })
  for (const failure of [refused, networkError(system('ENOTFOUND'), 'host'), proxy]) {
    expect(giveUpAfter(failure)).toBeLessThan(20_000)
  }
  expect(giveUpAfter(new StoreError('SlowDown', 'Busy', { httpStatus: 503 }))).toBe(15 * MINUTE_MS)
  expect(giveUpAfter(networkError(system('ETIMEDOUT'), 'host'))).toBe(15 * MINUTE_MS)
  hasConnected = true
  expect(giveUpAfter(refused)).toBe(15 * MINUTE_MS)
})

it('waits as long as it is told, whatever failed', () => {
  expect(createGiveUpAfter(60_000, () => false)(refused)).toBe(60_000)
})

it.each([
  ['get', ['get', 'key', 'copy']],
  ['get of a folder', ['get', 'folder/', 'copy']],
  ['put', ['put', 'source', 'key']],
  ['put of a folder', ['put', '.', 'folder/']],
  ['ls', ['ls']],
  ['uploads', ['uploads']],
  ['uploads parts', ['uploads', 'parts', 'key']],
  ['uploads abort', ['uploads', 'abort', 'key', '--upload-id', 'id']],
])('a dead port is said and ends, by itself and with status 3: %s', async (_what, argv) => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  const local = argv.map((word) => (/^(source|copy|\.)$/.test(word) ? world.path(word) : word))
  const host = NOBODY_LISTENS
  const dead = { ...world.environment, SLUICE_ENDPOINT: `http://${host}` }
  const { status, lines, told, stderr } = await runCli([...local, '--give-up-after', '1'], dead)
  expect([...lines, ...told].find(({ event }) => event === 'waiting')).toMatchObject({
    code: 'connection-refused',
    reason: 'network',
    host,
    // A wait that was over before anybody looked is not told.
    attempt: expect.any(Number) as number,
    nextTryAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  })
  expect(lines.at(-1)).toMatchObject({ event: 'failed', code: 'gave-up-waiting' })
  expect({ status, stderr }).toEqual({ status: 3, stderr: `sluice: Can’t reach ${host}: connection refused.\n` })
})

it.runIf(hasSignals)('names a host that does not exist, and a proxy that is down', async () => {
  const world = await createCliWorld()
  const link = 'http://no.such.host.invalid/x'
  const unknown = await world.run('get', link, world.path('copy'), '--give-up-after', '1')
  expect(unknown.status).toBe(3)
  // A name server may take longer than that to answer. Without any, that the look-up failed is all that can be told.
  const patient = world.start('get', link, world.path('copy'))
  expect(await toldWait(patient, /^(unknown-host|look-up-failed)$/)).toMatchObject({ host: 'no.such.host.invalid' })
  patient.process.kill('SIGTERM')
  expect((await patient.ended).status).toBe(3)
  const proxy = NOBODY_LISTENS
  const environment = { ...world.environment, http_proxy: `http://${proxy}`, no_proxy: '', NO_PROXY: '' }
  const proxied = await runCli(['get', link, world.path('copy'), '--give-up-after', '1'], environment)
  expect(proxied).toMatchObject({ status: 3, stderr: `sluice: Can’t reach the proxy ${proxy}: connection refused.\n` })
  expect(proxied.lines.find(({ event }) => event === 'waiting')).toMatchObject({ reason: 'proxy', host: proxy })
})

it('says to the end that it is the proxy that can’t reach the service', async () => {
  const world = await createCliWorld()
  const proxy = await startHttpProxy({ connectStatus: 503 })
  const environment = { ...world.environment, SLUICE_ENDPOINT: 'https://storage.invalid' }
  const through = { ...environment, https_proxy: proxy.address, no_proxy: '', NO_PROXY: '' }
  for (const argv of [['get', 'key', world.path('copy')], ['ls']]) {
    const { status, stderr, lines, told } = await runCli([...argv, '--give-up-after', '1'], through)
    expect({ status, stderr }).toEqual({ status: 3, stderr: 'sluice: The proxy can’t reach the service (503).\n' })
    expect([...lines, ...told].find(({ event }) => event === 'waiting')).toMatchObject({
      message: 'The proxy can’t reach the server (503)',
    })
  }
  expect(proxy.tunnels).toContain('demo.storage.invalid:443')
})

it.each([
  [503, 'server-busy', /^Server busy \(503\)$/],
  [429, 'server-busy', /^Server busy \(429\)$/],
  [500, 'server-error', /^The server has a problem \(500\)$/],
])('says at once that the server answers %i, and goes on when it is over', async (status, reason, message) => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'key')
  const rule = world.proxy.rule({ fault: { kind: 'response', status } })
  const running = world.start('get', 'key', world.path('copy'))
  expect(await toldWait(running, /^http-status$/)).toMatchObject({
    httpStatus: status,
    reason,
    message: expect.stringMatching(message) as string,
  })
  rule.remove()
  expect(await running.ended).toMatchObject({ status: 0 })
})

it('says that a network wants a sign-in, never saves its page, and goes on when it lets everything through', async () => {
  const world = await createCliWorld()
  let isOpen = false
  const { endpoint } = await startScript([
    () =>
      isOpen
        ? { status: 200, headers: { etag: '"e"', 'content-type': 'video/mp4' }, body: 'film' }
        : { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Hotel</title>' },
  ])
  const { host } = new URL(endpoint)
  const get = ['get', `${endpoint}/film.mov`, world.path('film.mov')]
  const words = `A web page answers instead of ${host}. Open a browser: this network may want you to sign in.`
  const given = await runCli([...get, '--give-up-after', '1'], world.environment)
  expect(given).toMatchObject({ status: 3, stderr: `sluice: ${words}\n` })
  await expect(readFile(world.path('film.mov'))).rejects.toThrow('ENOENT')
  const running = world.start(...get)
  expect(await toldWait(running, /^web-page$/)).toMatchObject({
    reason: 'network',
    message: expect.stringContaining('A web page answers instead of') as string,
  })
  isOpen = true
  expect(await running.ended).toMatchObject({ status: 0 })
  expect(await readFile(world.path('film.mov'), 'utf8')).toBe('film')
})

it('names a connection that broke off, and goes on when they hold', async () => {
  const world = await createCliWorld()
  let doHold = false
  const server = http.createServer((request, response) => {
    if (doHold) response.end('content')
    else request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const running = world.start('get', `http://127.0.0.1:${String(port)}/x`, world.path('copy'))
  await toldWait(running, /^connection-lost$/)
  doHold = true
  expect(await running.ended).toMatchObject({ status: 0 })
})

it('says of a server that takes its time that it has not answered yet, and takes its answer', async () => {
  const world = await createCliWorld()
  const held: http.ServerResponse[] = []
  const server = http.createServer((_request, response) => void held.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const running = world.start('get', `http://${host}/x`, world.path('copy'))
  expect(await toldWait(running, /^no-answer$/)).toMatchObject({
    reason: 'network',
    host,
    message: `${host} has not answered yet`,
    nextTryAt: null,
  })
  server
    .removeAllListeners('request')
    .on('request', (_request, response: http.ServerResponse) => response.end('content'))
  for (const response of held) response.end('content')
  expect(await running.ended).toMatchObject({ status: 0 })
  expect(await readFile(world.path('copy'), 'utf8')).toBe('content')
})

/**
 * The first wait of this cause that a command tells, once it does. Of a server that stands still for a moment, as those
 * of this process do with it, it tells meanwhile that there is no answer yet.
 */
function toldWait({ process }: RunningCli, code: RegExp): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    let text = ''
    process.stdout?.on('data', (some: string) => {
      text += some
      const lines = text.split('\n').slice(0, -1)
      const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const wait = events.find((each) => each['event'] === 'waiting' && code.test(String(each['code'])))
      if (wait !== undefined) resolve(wait)
    })
  })
}
