import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import * as https from 'node:https'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameRulesOf } from '../../../electron/engine/files/name-rules.ts'
import { MIB } from '../../../shared/limits.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { anonymousStore } from '../../support/fakes/anonymous-store.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import { hasSignals, startCli } from '../../support/tools/run-cli.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { listenUntilTestEnds } from '../../support/servers/scripted-server.ts'

const SIZE = 10 * MIB + 5

async function put(world: CliWorld, key: string, content: Uint8Array | string): Promise<void> {
  const store = anonymousStore(world.proxy.endpoint, 'demo')
  const bytes = Buffer.from(content)
  const body = { sizeBytes: bytes.length, open: () => asOne(bytes) }
  await store.putObject({ key, body, signal: new AbortController().signal })
  await store.close()
}

async function* asOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  yield bytes
}

const linkTo = (world: CliWorld, key: string) => `${world.proxy.endpoint}/demo/${key}`
const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

/** Downloads everything under `all/`; what became of each key, by content. */
async function downloadKeys(keys: readonly string[]) {
  const world = await createCliWorld()
  for (const key of keys) await put(world, `all/${key}`, `content of ${key}`)
  await mkdir(world.path('root'))
  const before = (await readdir(dirname(world.path('root')), { recursive: true })).sort()
  const result = await world.run('get', 'all/', world.path('root'))
  const outside = (await readdir(dirname(world.path('root')), { recursive: true })).filter(
    (name) => !name.startsWith('root'),
  )
  const files = await filesBelow(world.path('root'))
  const contents = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
  return { result, before, outside, contents, names: files.map(({ name }) => name) }
}

test('T27: no key leads outside the folder', async () => {
  const keys = ['../../e', 'a/../../e', '/abs/e', 'C:\\e', 'D:e', '\\\\h\\s\\e', '..\\e', '..', './.', 'fine']
  const { result, outside, contents } = await downloadKeys(keys)
  expect(result.status).toBe(0)
  expect(outside).toEqual([])
  expect(contents.sort()).toEqual(keys.map((key) => `content of ${key}`).sort())
})

test('T30: keys that differ in case or normalization only become as many files', async () => {
  const keys = ['A.txt', 'a.txt', '\u00e9', 'e\u0301', 'Stra\u00dfe', 'STRASSE']
  const { result, contents, names } = await downloadKeys(keys)
  expect(result.status).toBe(0)
  expect(contents.sort()).toEqual(keys.map((key) => `content of ${key}`).sort())
  expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(keys.length)
})

test('T65: names that the volume can’t store become safe and unique, and the outcome names the key', async () => {
  const keys = [
    'CON',
    'nul.txt',
    'COM\u00b9.log',
    'a.',
    'a ',
    'a:b',
    'x::$DATA',
    'x'.repeat(300),
    `${'deep/'.repeat(60)}f`,
  ]
  const { result, contents, names } = await downloadKeys(keys)
  expect(result.status).toBe(0)
  expect(contents.sort()).toEqual(keys.map((key) => `content of ${key}`).sort())
  const { takesUnixNames = false } = await nameRulesOf(fs, tmpdir())
  const unstorable = /[<>:"|?*\\]|[. ]$|^(con|nul|com\u00b9)(\.|$)/i
  expect(names.filter((name) => !takesUnixNames && unstorable.test(name))).toEqual([])
  expect(names.every((name) => Buffer.byteLength(name) <= 255)).toBe(true)
  const told = result.lines.filter(({ event }) => event === 'renamed')
  // The last one is only long; of one segment no volume takes 300 characters.
  const renamed = keys.slice(0, -1).filter((key) => !takesUnixNames || key.length === 300)
  expect(told.map(({ key }) => key).sort()).toEqual(renamed.map((key) => `all/${key}`).sort())
  expect(names).toEqual(expect.arrayContaining(told.map(({ path }) => path)))
  expect(result.lines.at(-1)).toMatchObject({ event: 'done', key: 'all/', objects: keys.length })
})

test('T59: of two equal commands one works, and the other says so; two commands for one file both have it', async () => {
  const world = await createCliWorld()
  const bytes = randomBytes(SIZE)
  await put(world, 'object', bytes)
  const get = ['get', 'object', world.path('out')]
  // All three at a time, however busy the machine is.
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  world.proxy.rule({ when: { method: 'GET', path: '/object' }, fault: { kind: 'stall', at: 'headers', until } })
  const before = world.proxy.requests({ method: 'GET' }).length
  const first = world.start(...get)
  await world.proxy.seen({ method: 'GET' }, before + 1)
  const requests = world.proxy.log.length
  const way = await startFaultProxy({ target: world.proxy.endpoint })
  onTestFinished(() => way.close())
  const elsewhere = startCli(get, {
    ...{ ...world.environment, SLUICE_ENDPOINT: way.endpoint },
    SLUICE_STATE_DIR: `${world.stateFolder}-2`,
  })
  const second = await world.run(...get)
  expect(second).toMatchObject({ status: 1 })
  expect(second.stderr).toContain('The same command is running already')
  await way.seen({ method: 'GET', path: '/object' })
  release()
  // Whichever comes second finds the same bytes under the name.
  expect([(await first.ended).status, (await elsewhere.ended).status]).toEqual([0, 0])
  expect(requests).toBeGreaterThan(0)
  expect(await sha256OfFile(world.path('out'))).toBe(sha256(bytes))
  expect((await readdir(world.path('.'))).filter((name) => name.includes('.part'))).toEqual([])
})

test('T70: a run that is killed leaves no secret behind, nor does one that fails', async () => {
  const world = await createCliWorld()
  await put(world, 'object', randomBytes(SIZE))
  const secret = 'c7b1d5a0-very-secret'
  const environment = { ...world.environment, SLUICE_ACCESS_KEY: 'AKID', SLUICE_SECRET_KEY: secret }
  await mkdir(world.path('target'))
  const before = world.proxy.requests({ method: 'GET' }).length
  const killed = startCli(['get', 'object', world.path('target/file'), '--limit-rate', '2M'], environment)
  await world.proxy.seen({ method: 'GET' }, before + 1)
  killed.process.kill('SIGKILL')
  await killed.ended
  world.proxy.rule({ fault: { kind: 'response', status: 403 } })
  const failed = await startCli(['get', 'object', world.path('target/other')], environment).ended
  expect(failed.status).toBe(1)
  const signatures = world.proxy.log.flatMap(({ headers }) => headers.authorization?.split(':').slice(1) ?? [])
  expect(signatures.length).toBeGreaterThan(0)
  const left = [...(await filesBelow(world.stateFolder)), ...(await filesBelow(world.path('target')))]
  const texts = await Promise.all(left.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
  const everything = [...texts, failed.stderr, JSON.stringify(failed.lines)].join('\n')
  expect([secret, 'Authorization', ...signatures].filter((word) => everything.includes(word))).toEqual([])
})

async function startSecure(certificate: { readonly key: string; readonly cert: string }, location?: string) {
  const seen: string[] = []
  const server = https.createServer(certificate, (request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location })
    response.end('content')
  })
  const endpoint = await listenUntilTestEnds(server, 'https')
  return { endpoint, seen }
}

test.each([
  ['of this host and time', 'good', 0],
  ['that has expired', 'expired', 1],
  ['of another host', 'otherHost', 1],
] as const)('T68: a trusted certificate %s', async (_what, name, status) => {
  const world = await createCliWorld()
  const { endpoint, seen } = await startSecure(CERTIFICATES[name])
  await writeFile(world.path('trusted.pem'), CERTIFICATES[name].cert)
  const environment = { ...world.environment, NODE_EXTRA_CA_CERTS: world.path('trusted.pem') }
  const result = await startCli(['get', `${endpoint}/file`, world.path('out')], environment).ended
  expect(result.status).toBe(status)
  expect(seen.length > 0).toBe(status === 0)
  expect(result.lines.at(-1)).toMatchObject(status === 0 ? { event: 'done' } : { code: 'certificate-untrusted' })
})

test('T33: a link is not followed from https to http', async () => {
  const world = await createCliWorld()
  await put(world, 'object', 'content')
  const requests = world.proxy.log.length
  const { endpoint, seen } = await startSecure(CERTIFICATES.good, linkTo(world, 'object'))
  await writeFile(world.path('trusted.pem'), CERTIFICATES.good.cert)
  const environment = { ...world.environment, NODE_EXTRA_CA_CERTS: world.path('trusted.pem') }
  const result = await startCli(['get', `${endpoint}/file`, world.path('out')], environment).ended
  expect(result.status).toBe(1)
  expect(result.lines.at(-1)).toMatchObject({ code: 'refused-by-server' })
  expect(seen).toEqual(['/file'])
  expect(world.proxy.log.length).toBe(requests)
})

/** Size of the partial file in a folder; 0 while there is none. */
async function partialBytes(folder: string): Promise<number> {
  const name = (await readdir(folder)).find((each) => each.endsWith('.part'))
  return name === undefined ? 0 : (await stat(join(folder, name))).size
}

/** A download from a link to `original`, stopped when some bytes are there. */
async function createStopped(bytes: Buffer) {
  const world = await createCliWorld()
  await put(world, 'original', bytes)
  const out = world.path('target/out')
  await mkdir(dirname(out))
  const stall = world.proxy.rule({
    when: { method: 'GET', path: '/original' },
    times: 1,
    fault: { kind: 'stall', at: { responseBytes: 6 * MIB } },
  })
  const get = (link: string, ...more: string[]) => ['get', link, out, '--connections', '1', ...more]
  const first = world.start(...get(linkTo(world, 'original')))
  await expect.poll(() => stall.hits).toBe(1)
  // What has left the server may still be on its way; what is in the file is there to go on with.
  await expect.poll(() => partialBytes(dirname(out))).toBeGreaterThanOrEqual(5 * MIB)
  first.process.kill('SIGTERM')
  expect((await first.ended).status).toBe(3)
  return { world, out, get, sentBytes: () => world.proxy.log.reduce((sum, entry) => sum + entry.responseBytes, 0) }
}

test.runIf(hasSignals)('the same target with a link to another place goes on, if the object is the same', async () => {
  const bytes = randomBytes(SIZE)
  const { world, out, get, sentBytes } = await createStopped(bytes)
  await put(world, 'mirror', bytes)
  expect(await world.run(...get(linkTo(world, 'mirror')))).toMatchObject({ status: 0 })
  expect(await sha256OfFile(out)).toBe(sha256(bytes))
  expect(await readdir(dirname(out))).toEqual([basename(out)])
  expect(sentBytes()).toBeLessThan(SIZE + 4 * MIB)
})

test.runIf(hasSignals)('a link to another object is refused, and the first one still goes on', async () => {
  const bytes = randomBytes(SIZE)
  const { world, out, get, sentBytes } = await createStopped(bytes)
  await put(world, 'other', randomBytes(MIB))
  for (let time = 0; time < 2; time += 1) {
    const refused = await world.run(...get(linkTo(world, 'other')))
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.lines.at(-1)).toMatchObject({ code: 'another-object' })
    expect(refused.stderr).toContain('--overwrite')
  }
  expect(await world.run(...get(linkTo(world, 'original')))).toMatchObject({ status: 0 })
  expect(await sha256OfFile(out)).toBe(sha256(bytes))
  expect(sentBytes()).toBeLessThan(SIZE + 6 * MIB)
})

test.runIf(hasSignals)('with --overwrite the other object is downloaded in its place', async () => {
  const { world, out, get } = await createStopped(randomBytes(SIZE))
  const other = randomBytes(MIB)
  await put(world, 'other', other)
  expect(await world.run(...get(linkTo(world, 'other'), '--overwrite'))).toMatchObject({ status: 0 })
  expect(await sha256OfFile(out)).toBe(sha256(other))
  expect(await readdir(dirname(out))).toEqual([basename(out)])
})
