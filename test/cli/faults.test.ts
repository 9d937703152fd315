import { readFile, readdir, writeFile } from 'node:fs/promises'
import * as http from 'node:http'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { listenUntilTestEnds } from '../support/servers/scripted-server.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { hasSignals } from '../support/tools/run-cli.ts'

const PART = { method: 'PUT', query: { partNumber: true } }
const COMPLETE = { method: 'POST', query: { uploadId: true } }

it('is done when the response to Complete is lost after the object was made', async () => {
  const world = await createCliWorld()
  const digest = await writeRandomFile(world.path('big'), 20 * MIB)
  world.proxy.rule({ when: COMPLETE, times: 1, fault: { kind: 'drop-response' } })
  const result = await world.run('put', world.path('big'), 'big')
  expect(result).toMatchObject({ status: 0 })
  expect(result.lines.at(-1)).toMatchObject({ event: 'done', verification: 'etag-multipart' })
  await world.run('get', 'big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(digest)
})

it('sends Complete again when it was lost on its way', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  const lost = world.proxy.rule({ when: COMPLETE, times: 1, fault: { kind: 'reset', at: 'request' } })
  expect(await world.run('put', world.path('big'), 'big')).toMatchObject({ status: 0 })
  expect(lost.hits).toBe(1)
  expect((await world.run('uploads')).lines).toEqual([])
})

it('refuses a file that changes while it is uploaded, and uploads the new one when run again', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  const put = ['put', world.path('big'), 'big']
  const command = world.start(...put, '--limit-rate', '4M')
  await world.proxy.seen(PART)
  const digest = await writeRandomFile(world.path('big'), 18 * MIB)
  const result = await command.ended
  expect(result.status).toBe(1)
  expect(result.lines.at(-1)).toMatchObject({ code: 'source-changed' })
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  await world.run('get', 'big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(digest)
})

it('starts a download again by itself when the object changes once, and leaves the new file only', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('old'), 40 * MIB)
  const digest = await writeRandomFile(world.path('new'), 30 * MIB)
  await world.run('put', world.path('old'), 'object')
  // Nobody gets the old object's last bytes: they are answered once the new one is there.
  const last = { method: 'GET', path: '/object', ranged: true, covers: 40 * MIB - 1 }
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  world.proxy.rule({ when: last, fault: { kind: 'stall', at: 'request', until } })
  const command = world.start('get', 'object', world.path('target/'))
  await world.proxy.seen(last)
  await world.run('put', world.path('new'), 'object')
  release()
  expect(await command.ended).toMatchObject({ status: 0 })
  expect(await readdir(world.path('target'))).toEqual(['object'])
  expect(await sha256Of(world.path('target/object'))).toBe(digest)
})

it('keeps the old file until the new one is there', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  await world.run('put', world.path('big'), 'object')
  await writeFile(world.path('out'), 'old')
  const range = { method: 'GET', path: '/object' }
  const alreadySeen = world.proxy.requests(range).length
  const get = ['get', 'object', world.path('out'), '--overwrite']
  const command = world.start(...get, '--limit-rate', '1M')
  await world.proxy.seen(range, alreadySeen + 1)
  command.process.kill('SIGKILL')
  await command.ended
  expect(await readFile(world.path('out'), 'utf8')).toBe('old')
  expect(await world.run(...get)).toMatchObject({ status: 0 })
  expect(await readdir(dirname(world.path('out')))).toEqual(['big', 'out'])
})

it('waits for a server that is not there yet', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('file'), 'x')
  const down = world.proxy.rule({ fault: { kind: 'reset', at: 'request' } })
  const command = world.start('put', world.path('file'), 'key')
  await world.proxy.seen({}, 2)
  down.remove()
  expect(await command.ended).toMatchObject({ status: 0 })
})

it.runIf(hasSignals)('goes on with a link that is signed anew', async () => {
  const world = await createCliWorld()
  const digest = await writeRandomFile(world.path('big'), 20 * MIB)
  await world.run('put', world.path('big'), 'object')
  const link = (signature: string) => `${world.proxy.endpoint}/demo/object?signature=${signature}`
  const first = world.start('get', link('old'), world.path('back'), '--limit-rate', '1M')
  await world.proxy.seen({ query: { signature: 'old' } })
  first.process.kill('SIGTERM')
  expect((await first.ended).status).toBe(3)
  world.proxy.rule({ when: { query: { signature: 'old' } }, fault: { kind: 'response', status: 403 } })
  expect(await world.run('get', link('new'), world.path('back'))).toMatchObject({ status: 0 })
  expect(await sha256Of(world.path('back'))).toBe(digest)
})

it('takes no word of a server that accepts a part before it has its bytes', async () => {
  const world = await createCliWorld()
  const digest = await writeRandomFile(world.path('big'), 40 * MIB)
  const { hostname, port } = new URL(world.proxy.endpoint)
  let hasty = 0
  const front = http.createServer((request, response) => {
    if (request.method === 'PUT' && hasty === 0) {
      hasty += 1
      response.writeHead(200, { etag: '"0"', 'content-length': 0 }).end()
      return
    }
    const { method, url, headers } = request
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  const endpoint = await listenUntilTestEnds(front)
  const put = ['put', world.path('big'), 'big', '--part-size', '32', '--endpoint', endpoint]
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  expect(hasty).toBe(1)
  await world.run('get', 'big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(digest)
})
