import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startCli } from '../../support/tools/run-cli.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'

const OLD = 'what was there'
const NEW = 'what is to be uploaded'

async function textOf({ proxy }: CliWorld, key: string): Promise<string | null> {
  const response = await fetch(`${proxy.endpoint}/demo/${encodeURI(key)}`)
  return response.ok ? response.text() : null
}

/** A file, or the same in a folder, and an object that has its key. */
async function createTaken(kind: 'file' | 'folder') {
  const world = await createCliWorld()
  await mkdir(world.path('box'))
  await mkdir(world.path('old/box'), { recursive: true })
  for (const [path, text] of [
    ['box/a.txt', NEW],
    ['old/box/a.txt', OLD],
  ] as const) {
    await writeFile(world.path(path), text)
  }
  const [source, target] = kind === 'file' ? ['box/a.txt', 'up/box/'] : ['box', 'up/']
  expect(await world.run('put', world.path('old/box'), 'up/')).toMatchObject({ status: 0 })
  const put = (...options: string[]) => world.run('put', world.path(source), target, ...options)
  return { world, put, text: (name: string) => textOf(world, `up/box/${name}`) }
}

it.each(['file', 'folder'] as const)('%s: replaces the object that is there, asked to or not', async (kind) => {
  const { put, text } = await createTaken(kind)
  expect(await put('--if-exists', 'replace')).toMatchObject({ status: 0 })
  expect([await text('a.txt'), await text('a (1).txt')]).toEqual([NEW, null])
  const again = await createTaken(kind)
  expect(await again.put()).toMatchObject({ status: 0 })
  expect(await again.text('a.txt')).toBe(NEW)
})

it.each(['file', 'folder'] as const)('%s: skips it, and says so', async (kind) => {
  const { put, text } = await createTaken(kind)
  const { status, lines } = await put('--if-exists', 'skip')
  expect(status).toBe(0)
  expect(lines.at(-1)).toMatchObject({ event: 'done', direction: 'upload' })
  expect([await text('a.txt'), await text('a (1).txt')]).toEqual([OLD, null])
})

it.each([
  ['file', 'keep-both'],
  ['file', 'skip-identical'],
  ['folder', 'keep-both'],
  ['folder', 'skip-identical'],
] as const)('%s: %s keeps both, and sends nothing when it is done again', async (kind, ifExists) => {
  const { world, put, text } = await createTaken(kind)
  expect(await put('--if-exists', ifExists)).toMatchObject({ status: 0 })
  const sent = world.proxy.requests({ method: 'PUT' }).length
  expect(await put('--if-exists', ifExists)).toMatchObject({ status: 0 })
  expect(world.proxy.requests({ method: 'PUT' })).toHaveLength(sent)
  expect([await text('a.txt'), await text('a (1).txt'), await text('a (2).txt')]).toEqual([OLD, NEW, null])
})

it('goes on with the name that was chosen when it is killed on the way', async () => {
  const { world, put, text } = await createTaken('file')
  const stalled = world.proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'stall', at: 'request' } })
  const killed = world.start('put', world.path('box/a.txt'), 'up/box/', '--if-exists', 'keep-both')
  await world.proxy.seen({ method: 'PUT', path: /1/ })
  killed.process.kill('SIGKILL')
  await killed.ended
  stalled.remove()
  expect(await put('--if-exists', 'keep-both')).toMatchObject({ status: 0 })
  expect([await text('a.txt'), await text('a (1).txt'), await text('a (2).txt')]).toEqual([OLD, NEW, null])
})

it('asks far away for the object and for unfinished uploads at the same time', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('big.bin'), randomBytes(6 * 1024 * 1024))
  const isListed = world.proxy.seen({ method: 'GET', query: { uploads: true } })
  const held = world.proxy.rule({ when: { method: 'HEAD' }, fault: { kind: 'stall', at: 'request', until: isListed } })
  expect(await world.run('put', world.path('big.bin'), 'up/')).toMatchObject({ status: 0 })
  expect(held.hits).toBeGreaterThan(0)
})

it('takes no other answer', async () => {
  const world = await createCliWorld()
  expect(await world.run('put', 'a', 'b', '--if-exists', 'maybe')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--if-exists takes keep-both, replace, skip, skip-identical.') as unknown,
  })
})

it.each(['skip', 'keep-both', 'skip-identical'])(
  '%s: leaves alone what somebody puts there meanwhile',
  async (ifExists) => {
    const { world, text } = await createTaken('file')
    await writeFile(world.path('box/big.bin'), Buffer.alloc(24 * 1024 * 1024, 7))
    const put = ['put', world.path('box/big.bin'), 'up/box/', '--if-exists', ifExists, '--limit-rate', '8M'] as const
    const running = world.start(...put)
    await world.proxy.seen({ method: 'PUT', query: { partNumber: true } })
    const theirs = await fetch(`${world.proxy.endpoint}/demo/up/box/big.bin`, { method: 'PUT', body: 'theirs' })
    expect(theirs.status).toBe(200)
    expect(await running.ended).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'Someone else created this file in the meantime. Nothing was replaced.',
      ) as unknown,
    })
    expect(await text('big.bin')).toBe('theirs')
    // The same command again looks at that object as at any other.
    expect(await world.run(...put)).toMatchObject({ status: 0 })
    expect(await text('big.bin')).toBe('theirs')
    expect((await text('big (1).bin'))?.length ?? 0).toBe(ifExists === 'skip' ? 0 : 24 * 1024 * 1024)
  },
)

it.each(['replace', 'skip-identical'])('%s: four commands with one file and one key are all done', async (ifExists) => {
  const { world } = await createTaken('file')
  const path = world.path('box/big.bin')
  await writeFile(path, randomBytes(24 * 1024 * 1024))
  // Each has found no unfinished upload to take up before the first of them begins one.
  const begun = { count: 0, all: () => {} }
  const all = new Promise<void>((resolve) => (begun.all = resolve))
  world.proxy.rule({
    when: { method: 'POST', query: { uploads: true } },
    first: () => (begun.count += 1) === 4 && begun.all(),
    fault: { kind: 'stall', at: 'request', until: all },
  })
  const commands = Array.from({ length: 4 }, (_, number) => {
    const stateFolder = world.path(`state-${number}`)
    return startCli(['put', path, 'up/big.bin', '--if-exists', ifExists], {
      ...world.environment,
      SLUICE_STATE_DIR: stateFolder,
    }).ended
  })
  const ends = await Promise.all(commands)
  expect(ends.map(({ status, stderr }) => [status, stderr])).toEqual(ends.map(() => [0, '']))
  expect((await world.run('uploads', 'list')).lines).toEqual([])
})
