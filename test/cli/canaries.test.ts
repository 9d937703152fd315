import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { MIB } from '../../shared/limits.ts'
import { startFaultProxy } from '../support/fault-server/fault-server.ts'
import { startHttpProxy } from '../support/proxies/http-proxy.ts'
import { startObject } from '../support/servers/object-server.ts'
import { canary, findCanaries, hasCanary } from '../support/tools/canaries.ts'
import { runCli, startCli } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const CONTENT = randomBytes(24 * MIB)
const MOVED_BYTES = 10 * MIB

/** Both kinds of service behind a proxy that wants a sign-in, and all that a command may be trusted with. */
async function createWorld(dialect: 's3' | 'storage') {
  const work = await tempDir()
  const secrets = {
    'secret key': canary('key'),
    'session token': canary('token'),
    'link signature': canary('signature'),
    'link password': canary('password'),
    'proxy password': canary('proxy'),
  }
  const keys = { accessKeyId: 'AK', secretAccessKey: secrets['secret key'] }
  const demo = await startDemoStore({ directory: await tempDir(), buckets: ['demo'], credentials: keys })
  onTestFinished(() => demo.close())
  const target = dialect === 's3' ? (await startObject(CONTENT)).endpoint : demo.endpoint
  const service = await startFaultProxy({ target })
  onTestFinished(() => service.close())
  const proxy = await startHttpProxy({ signIn: { user: 'ann', password: secrets['proxy password'] } })
  const ofAws = {
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_SESSION_TOKEN: secrets['session token'],
    AWS_REGION: 'us-east-1',
  }
  const own = { SLUICE_ACCESS_KEY: keys.accessKeyId, SLUICE_SECRET_KEY: keys.secretAccessKey }
  const environment = {
    ...{ SLUICE_STATE_DIR: join(work, 'state'), HOME: work, no_proxy: '', NO_PROXY: '' },
    ...{ SLUICE_ENDPOINT: service.endpoint, SLUICE_BUCKET: 'demo', SLUICE_DIALECT: dialect },
    ...(dialect === 's3' ? ofAws : own),
    http_proxy: `http://ann:${encodeURIComponent(secrets['proxy password'])}@127.0.0.1:${proxy.port}`,
  }
  const host = service.endpoint.replace('//', `//joe:${encodeURIComponent(secrets['link password'])}@`)
  const link = `${host}/demo/movie.mov?X-Amz-Signature=${encodeURIComponent(secrets['link signature'])}`
  const movedBytes = () => service.log.reduce((sum, each) => sum + each.requestBytes + each.responseBytes, 0)
  return { work, secrets, service, proxy, environment, link, movedBytes }
}

it.each([
  ['get of a link', 's3', (link: string, work: string) => ['get', link, join(work, 'copy')]],
  ['get of a link into a folder', 's3', (link: string, work: string) => ['get', link, join(work, 'copies/')]],
  ['get of a key', 's3', (_: string, work: string) => ['get', 'movie.mov', join(work, 'copy')]],
  ['put', 'storage', (_: string, work: string) => ['put', join(work, 'source'), 'up.bin', '--part-size', '6']],
] as const)('%s writes no secret down: killed, continued, done', async (_, dialect, command) => {
  const { work, secrets, service, proxy, environment, link, movedBytes } = await createWorld(dialect)
  await writeFile(join(work, 'source'), CONTENT)
  const argv = command(link, work)
  const slow = service.rule({ fault: { kind: 'limit', bytesPerSecond: 4 * MIB } })
  const running = startCli(argv, environment)
  await expect.poll(movedBytes).toBeGreaterThan(MOVED_BYTES)
  running.process.kill('SIGKILL')
  const killed = await running.ended
  expect(killed.signal).toBe('SIGKILL')
  const seen: string[] = []
  expect(await findCanaries(secrets, [work], seen)).toEqual([])
  expect(seen.filter((path) => path.endsWith('-wal'))).toHaveLength(1)
  slow.remove()
  const done = await runCli(argv, environment)
  expect(done).toMatchObject({ status: 0, stderr: '' })
  expect(await findCanaries(secrets, [work])).toEqual([])
  expect(hasCanary(secrets, JSON.stringify([killed, done]))).toEqual([])
  expect(proxy.requests.length).toBeGreaterThan(1)
})

it('writes nothing down that a service says back about a link', async () => {
  const { work, secrets, service, environment, link } = await createWorld('s3')
  const { pathname, search } = new URL(link)
  const words = [pathname + search, link, search.slice(1)].map((text) => text.replaceAll('&', '&amp;'))
  for (const said of words) {
    const body = `<Error><Code>AccessDenied</Code><Message>Refused: ${said} is over</Message></Error>`
    const rule = service.rule({ fault: { kind: 'response', status: 403, body } })
    const refused = await runCli(['get', link, join(work, 'copy'), '--json'], environment)
    expect(refused.status).toBe(1)
    expect(await findCanaries(secrets, [work])).toEqual([])
    expect(hasCanary(secrets, JSON.stringify(refused))).toEqual([])
    rule.remove()
  }
})
