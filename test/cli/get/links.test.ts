import { chmod, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startScript, type TakenRequest } from '../../support/servers/scripted-server.ts'
import { runText } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

const SIGNED = `Basic ${Buffer.from('joe:hidden word').toString('base64')}`
const withSignIn = (endpoint: string): string => `${endpoint.replace('//', '//joe:hidden%20word@')}/a.bin`

it('signs in with the name and password of a link, and writes them nowhere', async () => {
  const world = await createCliWorld()
  let isBusy = true
  const { endpoint } = await startScript([
    ({ headers }: TakenRequest) => {
      if (headers.authorization !== SIGNED) return { status: 401 }
      return isBusy ? { status: 503 } : { status: 200, headers: { etag: '"e"' }, body: 'content' }
    },
  ])
  const get = ['get', withSignIn(endpoint), world.path('copy')]
  const busy = await world.run(...get, '--give-up-after', '1')
  expect(busy.status).toBe(3)
  isBusy = false
  const kept = await contentsBelow(world.stateFolder)
  expect(kept).toContain(endpoint)
  expect(kept).not.toMatch(/hidden/)
  const done = await world.run(...get)
  expect(done).toMatchObject({ status: 0, stderr: '' })
  expect(await readFile(world.path('copy'), 'utf8')).toBe('content')
  expect(JSON.stringify([busy, done])).not.toContain('hidden')
})

it.each([
  [401, 'refused the link (401): it needs a sign-in, or it has expired.'],
  [403, 'refused the link (403). It may have expired.'],
  [404, 'has nothing at this link (404).'],
])('a link that is answered %i is spoken of as a link', async (status, words) => {
  const world = await createCliWorld()
  const { endpoint } = await startScript([{ status, body: 'no code in here' }])
  const result = await world.run('get', withSignIn(endpoint), world.path('copy'))
  expect(result).toMatchObject({ status: 1, stderr: `sluice: ${new URL(endpoint).host} ${words}\n` })
})

it.each([
  ['in a circle', { status: 302, headers: { location: '/again' } }],
  ['to another scheme', { status: 302, headers: { location: 'ftp://files.example.com/x' } }],
])('a link that leads %s says where, and why it is not followed', async (_what, response) => {
  const world = await createCliWorld()
  const { endpoint } = await startScript([response])
  const target = response.headers.location.startsWith('/') ? endpoint : 'ftp://files.example.com'
  const result = await world.run('get', `${endpoint}/a`, world.path('copy'))
  const why = 'The link leads in a circle, or on to an address that can’t be followed.'
  expect(result).toMatchObject({
    status: 1,
    stderr: `sluice: ${why} (The link was redirected to ${target} (302))\n`,
  })
})

it('a response without content is called that, and is asked for once', async () => {
  const world = await createCliWorld()
  const { endpoint, requests } = await startScript([{ status: 204 }])
  const result = await world.run('get', `${endpoint}/a`, world.path('copy'))
  const { host } = new URL(endpoint)
  expect(result).toMatchObject({ status: 1, stderr: `sluice: ${host} answered without any content (204).\n` })
  expect(requests.length).toBe(1)
})

it('a port that speaks no https is not called a matter of certificates', async () => {
  const world = await createCliWorld()
  const { endpoint } = await startScript([{ status: 200 }])
  const result = await world.run('get', `${endpoint.replace('http:', 'https:')}/a`, world.path('copy'))
  expect(result.lines.at(-1)).toMatchObject({ code: 'no-https' })
  expect(result.stderr).toMatch(/doesn’t speak https at this port/)
})

it('a link that names no file is saved under a default name, and a note says so', async () => {
  const world = await createCliWorld()
  const { endpoint } = await startScript([{ status: 200, headers: { etag: '"e"' }, body: '<html>' }])
  const { status, stderr } = await runText(['get', `${endpoint}/folder/`, world.path('')], world.environment)
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'The link names no file, so it is saved as “download”.\n',
  })
})

const LONG_AGO = 'Sat, 01 Nov 2025 10:00:00 GMT'

it.each([
  ['its ETag', { etag: '"v1"' }, { etag: '"v2"' }],
  ['its time', { 'last-modified': LONG_AGO }, { 'last-modified': 'Sun, 02 Nov 2025 10:00:00 GMT' }],
])('a link that was saved is saved again once the server has another version, by %s', async (_what, first, second) => {
  const world = await createCliWorld()
  const served = { headers: first, body: 'one' }
  const { endpoint } = await startScript([() => ({ status: 200, ...served })])
  const get = async (): Promise<unknown> => (await world.run('get', `${endpoint}/a.bin`, world.path(''))).lines.at(-1)
  expect(await get()).toMatchObject({ path: world.path('a.bin'), verification: 'size-only' })
  expect(await get()).toMatchObject({ path: world.path('a.bin'), skipped: true, verification: 'size-only' })
  Object.assign(served, { headers: second, body: 'two' })
  expect(await get()).toMatchObject({ path: world.path('a (1).bin') })
  expect(await get()).toMatchObject({ path: world.path('a (1).bin'), skipped: true })
})

it.each(['touched', 'of another link', 'of a version that nothing names'])(
  'a saved file that is %s is no proof',
  async (what) => {
    const world = await createCliWorld()
    const headers = what === 'of a version that nothing names' ? {} : { etag: '"v1"' }
    const { endpoint } = await startScript([{ status: 200, headers, body: 'one' }])
    const get = ['get', `${endpoint}/a.bin?of=1`, world.path('a.bin')]
    expect(await world.run(...get)).toMatchObject({ status: 0 })
    if (what === 'touched') await chmod(world.path('a.bin'), 0o600)
    const other = what === 'of another link' ? ['get', `${endpoint}/a.bin?of=2`, world.path('a.bin')] : get
    expect(await world.run(...other)).toMatchObject({ status: 1 })
  },
)

async function contentsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  return contents.join('\n')
}
