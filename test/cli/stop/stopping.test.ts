import { randomBytes } from 'node:crypto'
import { on } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SAME_STOP_MS } from '../../../electron/cli/stop-signal.ts'
import { MIB } from '../../../shared/limits.ts'
import { beginUpload } from '../../support/tools/begin-upload.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import type { RequestMatch } from '../../support/fault-server/fault-rules.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { hasSignals, type RunningCli } from '../../support/tools/run-cli.ts'

const it = test.runIf(hasSignals)
const PART = { method: 'PUT', query: { partNumber: true } }

/** Stops the command once a request that fits came through. */
async function stopDuring(world: CliWorld, when: RequestMatch, signal: NodeJS.Signals, argv: readonly string[]) {
  const alreadySeen = world.proxy.requests(when).length
  const command = world.start(...argv)
  await world.proxy.seen(when, alreadySeen + 1)
  command.process.kill(signal)
  return command.ended
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with 3 on %s and goes on later', async (signal) => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  const put = ['put', world.path('big'), 'big']
  const stopped = await stopDuring(world, PART, signal, [...put, '--limit-rate', '1M'])
  expect(stopped).toMatchObject({ status: 3, stderr: 'sluice: Stopped. Run the same command again to go on.\n' })
  expect(stopped.lines.at(-1)).toMatchObject({ event: 'failed', code: 'stopped' })
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  // What is kept tells this user's partial files from those of others.
  expect(await readdir(world.stateFolder)).toEqual(['sidecar.key'])
})

/** Resolves once the command has printed a line with this event. */
async function said(command: RunningCli, event: string): Promise<void> {
  let text = ''
  for await (const bytes of on(command.process.stdout ?? process.stdin, 'data')) {
    text += String(bytes)
    if (text.includes(`"event":"${event}"`)) return
  }
}

it('lets parts end that are on their way, and sends them no second time', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  let answer = (): void => undefined
  const until = new Promise<void>((resolve) => (answer = resolve))
  world.proxy.rule({ when: PART, fault: { kind: 'stall', at: 'response', until } })
  const put = ['put', world.path('big'), 'big', '--connections', '2']
  const command = world.start(...put)
  await world.proxy.seen(PART, 2)
  command.process.kill('SIGTERM')
  await said(command, 'finishing')
  answer()
  const { status, lines } = await command.ended
  expect([status, lines.filter(({ event }) => event === 'dropped')]).toEqual([3, []])
  expect(lines.find(({ event }) => event === 'finishing')).toEqual({ event: 'finishing', units: 2 })
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  expect(world.proxy.requests(PART)).toHaveLength(4)
})

it('stops at the second signal, and says in bytes what was dropped', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  const stall = world.proxy.rule({ when: PART, fault: { kind: 'stall', at: 'response' } })
  const put = ['put', world.path('big'), 'big', '--connections', '1']
  const command = world.start(...put)
  await world.proxy.seen(PART)
  command.process.kill('SIGINT')
  await said(command, 'finishing')
  // One that comes sooner is the same signal again.
  await delay(SAME_STOP_MS)
  command.process.kill('SIGINT')
  const { status, lines } = await command.ended
  expect([status, lines.at(-1)?.['code']]).toEqual([3, 'stopped'])
  expect(lines.find(({ event }) => event === 'dropped')).toMatchObject({ bytes: expect.any(Number) as unknown })
  stall.remove()
  expect(await world.run(...put)).toMatchObject({ status: 0 })
})

it('uploads a file again that changed after an earlier run of the command had finished it', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('first'), 'old')
  await writeRandomFile(world.path('second'), 20 * MIB)
  const put = ['put', world.path('first'), world.path('second'), 'folder/']
  expect(await stopDuring(world, PART, 'SIGTERM', [...put, '--limit-rate', '1M'])).toMatchObject({ status: 3 })
  await writeFile(world.path('first'), 'new')
  expect(await world.run(...put)).toMatchObject({ status: 0 })
  expect(await world.run('get', 'folder/first', world.path('back'))).toMatchObject({ status: 0 })
  expect(await readFile(world.path('back'), 'utf8')).toBe('new')
})

it.each(['request', 'response'] as const)(
  'uploads a file again that changed while it was not known whether it is there (stopped at the %s)',
  async (at) => {
    const world = await createCliWorld()
    await writeFile(world.path('file'), 'old')
    const put = ['put', world.path('file'), 'file']
    const sent = { method: 'PUT', path: '/file' }
    const stall = world.proxy.rule({ when: sent, fault: { kind: 'stall', at } })
    expect(await stopDuring(world, sent, 'SIGTERM', put)).toMatchObject({ status: 3 })
    stall.remove()
    await writeFile(world.path('file'), 'newer')
    expect(await world.run(...put)).toMatchObject({ status: 0 })
    expect(await world.run('get', 'file', world.path('back'))).toMatchObject({ status: 0 })
    expect(await readFile(world.path('back'), 'utf8')).toBe('newer')
  },
)

it('goes on with --overwrite when a file took the name meanwhile', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  await world.run('put', world.path('big'), 'big')
  const get = ['get', 'big', world.path('out')]
  const range = { method: 'GET', path: '/big', query: { uploads: false } }
  expect(await stopDuring(world, range, 'SIGTERM', [...get, '--limit-rate', '1M'])).toMatchObject({ status: 3 })
  await writeFile(world.path('out'), 'mine')
  expect((await world.run(...get)).lines.at(-1)).toMatchObject({ code: 'target-exists' })
  expect(await readFile(world.path('out'), 'utf8')).toBe('mine')
  expect(await world.run(...get, '--overwrite')).toMatchObject({ status: 0 })
  expect(await readdir(dirname(world.path('out')))).toEqual(['big', 'out'])
})

it('says that the same command is running already', async () => {
  const world = await createCliWorld()
  await writeRandomFile(world.path('big'), 20 * MIB)
  const put = ['put', world.path('big'), 'big', '--limit-rate', '1M']
  const first = world.start(...put)
  await world.proxy.seen(PART)
  const second = await world.run(...put)
  first.process.kill('SIGTERM')
  expect((await first.ended).status).toBe(3)
  expect(second).toMatchObject({ status: 1, stderr: 'sluice: The same command is running already.\n' })
})

it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s while it compares a file, and discards nothing', async (signal) => {
  const world = await createCliWorld()
  const bytes = randomBytes(64 * MIB)
  await writeFile(world.path('file'), Buffer.concat([bytes, Buffer.from('the rest')]))
  const uploadId = await beginUpload(world.proxy, 'file', [bytes])
  const finish = ['uploads', 'finish', world.path('file'), 'file']
  // The list of its parts has come: now the file is hashed.
  const stopped = await stopDuring(world, { method: 'GET', query: { uploadId } }, signal, finish)
  expect(stopped).toMatchObject({ status: 3 })
  expect(world.proxy.requests({ method: 'DELETE' })).toEqual([])
  expect((await world.run('uploads', 'list')).lines).toMatchObject([{ key: 'file', uploadId }])
  expect(await world.run(...finish)).toMatchObject({ status: 0 })
  expect(world.proxy.requests(PART)).toHaveLength(2)
})
