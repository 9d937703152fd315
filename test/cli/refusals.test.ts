import { execFileSync } from 'node:child_process'
import { lstat, mkdir, open, readFile, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { runText } from '../support/tools/run-cli.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'

it('uploads nothing when one of the files is missing', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('there'), 'x')
  const result = await world.run('put', world.path('there'), world.path('missing'), 'folder/')
  expect(result).toMatchObject({ status: 1, stderr: `sluice: There is no file ${world.path('missing')}.\n` })
  expect((await world.run('ls')).lines).toEqual([])
})

it.each([
  ['Which service? Give --endpoint or SLUICE_ENDPOINT.', {}],
  ['--endpoint “host” is not an http or https address.', { SLUICE_ENDPOINT: 'host' }],
  [
    'Give both --access-key and --secret-key-file, or neither.',
    { SLUICE_ENDPOINT: 'http://host', SLUICE_ACCESS_KEY: 'K' },
  ],
])('asks for what it needs to reach a service: %s', async (message, environment) => {
  const folder = await tempDir()
  const commands = [
    ['ls'],
    ['ls', '--bucket', 'b'],
    ['get', 'key', folder, '--bucket', 'b'],
    ['uploads', '--bucket', 'b'],
  ]
  for (const command of commands)
    expect(await runText(command, { SLUICE_STATE_DIR: folder, ...environment }), command.join(' ')).toMatchObject({
      ...{ status: 2, stdout: '', stderr: `sluice: ${message}\n` },
    })
})

it('refuses two files that would become the same key', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('a'))
  await mkdir(world.path('b'))
  await writeFile(world.path('a/same'), '1')
  await writeFile(world.path('b/same'), '2')
  const result = await world.run('put', world.path('a/same'), world.path('b/same'), 'folder/')
  expect(result).toMatchObject({ status: 2, stderr: 'sluice: Two of the files would become folder/same.\n' })
})

it.each([
  ['a file as target folder', ['get', 'key', 'file/']],
  ['a file as target folder of a prefix', ['get', 'folder/', 'file']],
  ['a file as state folder', ['get', 'key', 'out', '--state-dir', 'file']],
  ['a file as folder to serve', ['serve', '--dir', 'file', '--anonymous']],
])('says what is wrong in one line: %s', async (_what, argv) => {
  const world = await createCliWorld()
  await writeFile(world.path('file'), 'x')
  const result = await world.run(...argv.map((word) => (/^(file|out)/.test(word) ? world.path(word) : word)))
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/^sluice: .*\/file.*\n$/)
  expect(result.lines.at(-1)).toMatchObject({ event: 'failed' })
})

it.runIf(process.platform === 'linux').each([
  ['a folder to download to', ['get', 'key', '/proc/sluice/']],
  ['a folder for a prefix', ['get', 'all/', '/proc/sluice']],
  ['a state folder', ['get', 'key', 'out', '--state-dir', '/proc/sluice']],
  ['a folder to serve', ['serve', '--dir', '/proc/sluice', '--anonymous']],
])('comes to an end where no folder can be made: %s', async (_what, argv) => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'all/key')
  const result = await world.run(...argv.map((word) => (word === 'out' ? world.path(word) : word)))
  expect(result).toMatchObject({ status: 1, stderr: expect.stringMatching(/^sluice: .*\/proc\/sluice.*\n$/) as string })
})

it.skipIf(process.platform === 'win32' || process.platform === 'darwin').each([
  ['empty', { XDG_STATE_HOME: '' }],
  ['relative', { XDG_STATE_HOME: 'state' }],
])('keeps nothing in the folder that a command was given in: XDG_STATE_HOME is %s', async (_what, variables) => {
  const world = await createCliWorld()
  const environment = { ...world.environment, SLUICE_STATE_DIR: '', HOME: world.path('home'), ...variables }
  await mkdir(world.path('cwd'))
  await writeFile(world.path('source'), 'x')
  const put = await runText(['put', world.path('source'), 'key'], environment, { cwd: world.path('cwd') })
  expect(put).toMatchObject({ status: 0 })
  expect(await readdir(world.path('cwd'))).toEqual([])
  expect(await readdir(world.path('home/.local/state/sluice'))).toEqual(['sidecar.key'])
})

// Windows lets only administrators and developers make links to files.
it.skipIf(process.platform === 'win32')(
  'refuses a link that leads nowhere as its target, and replaces the link itself with --overwrite',
  async () => {
    const world = await createCliWorld()
    await writeFile(world.path('source'), 'x')
    await symlink(world.path('elsewhere'), world.path('link'))
    await world.run('put', world.path('source'), 'key')
    expect((await world.run('get', 'key', world.path('link'))).lines.at(-1)).toMatchObject({ code: 'target-exists' })
    expect(await readlink(world.path('link'))).toBe(world.path('elsewhere'))
    expect(await world.run('get', 'key', world.path('link'), '--overwrite')).toMatchObject({ status: 0 })
    expect(await readFile(world.path('link'), 'utf8')).toBe('x')
  },
)

it.each([
  ['missing', 'no such file or directory'],
  ['text', 'it holds none'],
])('says in plain words why a file gives no certificates: %s', async (name, why) => {
  const world = await createCliWorld()
  await writeFile(world.path('text'), 'not PEM')
  const path = world.path(name)
  const { status, stderr } = await runText(['ls'], { ...world.environment, SSL_CERT_FILE: path })
  expect([status, stderr]).toEqual([2, `sluice: SSL_CERT_FILE names ${path}, which gives no certificates: ${why}.\n`])
})

it.skipIf(process.platform === 'win32')('replaces no pipe and no device, whatever is allowed', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('in'))
  await writeFile(world.path('in/pipe'), 'x')
  await writeFile(world.path('in/film'), Buffer.alloc(9_000_000))
  await world.run('put', world.path('in'), 'all/')
  await mkdir(world.path('out'))
  for (const name of ['pipe', 'film']) execFileSync('mkfifo', [world.path(`out/${name}`)])
  const one = await world.run('get', 'all/in/pipe', world.path('out/pipe'), '--overwrite')
  expect(one).toMatchObject({
    status: 1,
    stderr: `sluice: ${world.path('out/pipe')} is not a regular file, so it is not replaced.\n`,
  })
  const all = await world.run('get', 'all/in/', world.path('out'), '--overwrite')
  expect(all.lines.filter(({ event }) => event === 'not-downloaded').map(({ key, code }) => [key, code])).toEqual([
    ['all/in/film', 'target-exists'],
    ['all/in/pipe', 'target-exists'],
  ])
  for (const name of ['pipe', 'film']) expect((await lstat(world.path(`out/${name}`))).isFIFO()).toBe(true)
})

it.each([
  ['get', 'key', `${'n'.repeat(300)}`],
  ['get', 'key', `${'n'.repeat(300)}/`],
])('says that a name can’t be stored: %s %s', async (...argv) => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'key')
  const { status, lines } = await world.run(argv[0], argv[1], world.path(argv[2]))
  expect([status, lines.at(-1)?.['code']]).toEqual([1, 'name-not-storable'])
})

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'tells a file that may not be read from one that is not there',
  async () => {
    const world = await createCliWorld()
    await mkdir(world.path('locked'), { mode: 0o000 })
    const { status, lines } = await world.run('put', world.path('locked/file'), 'key')
    expect([status, lines.at(-1)?.['code']]).toEqual([1, 'source-unreadable'])
  },
)

it('downloads an object and a folder of one name', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'all/foo')
  await world.run('put', world.path('source'), 'all/foo/bar')
  expect(await world.run('get', 'all/', world.path('out'))).toMatchObject({ status: 0 })
  expect((await readdir(world.path('out'), { recursive: true })).sort()).toEqual(['foo', 'foo (1)', 'foo (1)/bar'])
  expect(await world.run('get', 'all/', world.path('out'))).toMatchObject({ status: 0 })
})

it('leaves no folder behind of a command that was refused', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await writeFile(world.path('large'), Buffer.alloc(9 * MIB))
  await world.run('put', world.path('source'), 'small/in/here')
  await world.run('put', world.path('large'), 'large/in/here')
  const before = await readdir(world.path('.'))
  const refused = world.proxy.rule({
    when: { method: 'GET', path: '/in/here' },
    fault: { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied"}}' },
  })
  const refusals = [
    ['small/', 'items-failed'],
    ['large/', 'items-failed'],
    ['none/', 'no-such-key'],
    ['missing', 'no-such-key'],
  ]
  for (const [source, code] of refusals) {
    for (const dest of ['new', 'new/', 'new/deep/er/'])
      expect((await world.run('get', source ?? '', world.path(dest))).lines.at(-1)).toMatchObject({ code })
    expect(await readdir(world.path('.'))).toEqual(before)
  }
  world.proxy.rule({ when: { query: { prefix: true } }, fault: { kind: 'response', status: 403 } })
  expect(await world.run('get', 'small/', world.path('new/deep'))).toMatchObject({ status: 1 })
  expect(await readdir(world.path('.'))).toEqual(before)
  // A folder that was there is left alone.
  await mkdir(world.path('mine/empty'), { recursive: true })
  await world.run('get', 'small/', world.path('mine/empty'))
  await world.run('get', 'missing', world.path('mine/empty/'))
  expect(await readdir(world.path('mine'), { recursive: true })).toEqual(['empty'])
  expect(refused.hits).toBeGreaterThan(5)
})

it('leaves no state of a command that was refused', async () => {
  const world = await createCliWorld()
  expect(await world.run('get', 'missing', world.path('out'))).toMatchObject({ status: 1 })
  expect(await readdir(world.stateFolder)).toEqual(['sidecar.key'])
})

it('says that a port is taken', async () => {
  const world = await createCliWorld()
  const port = new URL(world.proxy.endpoint).port
  const result = await world.run('serve', '--dir', world.path('store'), '--port', port, '--anonymous')
  expect(result).toMatchObject({ status: 1, stderr: `sluice: Port ${port} is taken.\n` })
})

it('waits out a busy server when it lists', async () => {
  const world = await createCliWorld()
  world.proxy.rule({ times: 2, fault: { kind: 'response', status: 503, headers: { 'Retry-After': '0' } } })
  expect(await world.run('ls')).toMatchObject({ status: 0 })
})

it.each([405, 403])('uploads to a service that answers %i when asked for unfinished uploads', async (status) => {
  const world = await createCliWorld()
  const body = status === 403 ? '{"Error":{"Code":"AccessDenied","Message":"No listing."}}' : ''
  world.proxy.rule({ when: { query: { uploads: true }, method: 'GET' }, fault: { kind: 'response', status, body } })
  await writeFile(world.path('source'), 'x')
  expect(await world.run('put', world.path('source'), 'key')).toMatchObject({ status: 0 })
})

it('ends quietly when its reader has seen enough', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'key')
  const listing = world.start('ls')
  listing.process.stdout?.destroy()
  expect(await listing.ended).toMatchObject({ status: 0, stderr: '' })
})

it.runIf(process.platform === 'linux').each([['ls'], ['manual'], ['ls', '--json']])(
  'says that its results could not be written: %s %s',
  async (...argv) => {
    const world = await createCliWorld()
    await writeFile(world.path('source'), 'x')
    await world.run('put', world.path('source'), 'key')
    const full = await open('/dev/full', 'w')
    const ended = await runText(argv, world.environment, { stdout: full.fd })
    await full.close()
    expect(ended).toMatchObject({ status: 1, stderr: 'sluice: Can’t write the results: no space left on device.\n' })
  },
)

it.runIf(process.platform === 'linux' && process.getuid?.() !== 0)('says that it may not serve there', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('locked'), { mode: 0o500 })
  const { status, stderr } = await world.run('serve', '--dir', world.path('locked'), '--anonymous')
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^sluice: Can’t serve .*: permission denied\.\n$/)])
})

it('refuses a link that is not a URL', async () => {
  const world = await createCliWorld()
  expect(await world.run('get', 'http://[bad')).toMatchObject({ status: 2 })
})

it.each(['ftp://127.0.0.1/x.bin', 'file:///etc/passwd'])('knows no such addresses: %s', async (address) => {
  const world = await createCliWorld()
  const scheme = address.slice(0, address.indexOf(':'))
  const result = await world.run('get', address, world.path('out'))
  expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining(`${scheme}:// is not known`) as string })
})

const LINK = 'https://127.0.0.1/key'

it.each([
  ['ls', LINK],
  ['put', 'file', LINK],
  ['uploads', 'finish', 'file', LINK],
  ['uploads', 'parts', LINK],
  ['uploads', 'abort', LINK, '--upload-id', 'nope'],
])('takes no link where a key or prefix is due: %s %s', async (...argv) => {
  const world = await createCliWorld()
  const { status, stderr } = await world.run(...argv)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^sluice: .* takes a .*, not a link\.\n$/)
})

it('says of a prefix that there is nothing in it', async () => {
  const world = await createCliWorld()
  const result = await world.run('get', 'nope/', world.path('out'))
  expect(result).toMatchObject({ status: 1, stderr: 'sluice: There is nothing in this folder on the server.\n' })
})

it('says of a wrong upload id that there is no such upload', async () => {
  const world = await createCliWorld()
  const result = await world.run('uploads', 'abort', 'key', '--upload-id', 'nope')
  expect(result).toMatchObject({ status: 1, stderr: 'sluice: key has no unfinished upload nope.\n' })
})

it('makes the folder of a file, as it makes that of a prefix', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('source'), 'x')
  await world.run('put', world.path('source'), 'all/key')
  expect(await world.run('get', 'all/key', world.path('new/file'))).toMatchObject({ status: 0 })
  expect(await readFile(world.path('new/file'), 'utf8')).toBe('x')
})

it('counts a folder as a whole, whatever of it is done already', async () => {
  const world = await createCliWorld()
  await mkdir(world.path('many'))
  for (let file = 0; file < 12; file += 1) await writeFile(world.path(`many/${String(file)}`), 'x')
  await world.run('put', world.path('many'), 'all/')
  const { stderr } = await runText(['get', 'all/', world.path('out')], world.environment)
  expect(stderr).toMatch(/^12 objects, 12 B to /)
})

it('takes the secret key from a file or from standard input, where no other program reads it', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('secret'), 'hidden\n')
  const options = ['--access-key', 'AK', '--secret-key-file']
  // The store takes every key.
  expect(await world.run('ls', ...options, world.path('secret'))).toMatchObject({ status: 0 })
  const piped = world.start('ls', ...options, '-')
  piped.process.stdin?.end('hidden')
  expect(await piped.ended).toMatchObject({ status: 0 })
  expect(await world.run('ls', ...options, world.path('missing'))).toMatchObject({ status: 2 })
  expect(await world.run('ls', ...options, world.path('secret'), '--secret-key', 'x')).toMatchObject({ status: 2 })
})
