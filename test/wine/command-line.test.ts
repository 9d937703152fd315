import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import type { RequestMatch } from '../support/fault-server/fault-rules.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { createWindowsWorld, noWindows, type WindowsWorld } from './support/windows-world.ts'

const PART = { method: 'PUT', query: { partNumber: true } }
const RANGE = { method: 'GET', path: '/big', query: { uploads: false, uploadId: false } }

/** What Windows has no files of. */
const ODD_NAMES = ['CON', 'a:b?.txt', 'dot.']

/** Wine keeps a stream of a file, as the mark of the web is one, as a file of its own. */
function withoutStreams(names: readonly string[]): readonly string[] {
  return names.filter((name) => !name.includes('Zone.Identifier')).sort()
}

/** The folders that commands have kept their state in. */
async function keptStates({ stateFolder }: WindowsWorld): Promise<readonly string[]> {
  return (await readdir(stateFolder)).filter((name) => name !== 'sidecar.key')
}

function part(partNumber: number): RequestMatch {
  return { method: 'PUT', query: { partNumber } }
}

/** Kills the command once a request that fits is there. */
async function killAt(world: WindowsWorld, when: RequestMatch, argv: readonly string[]): Promise<void> {
  const command = await world.start(...argv)
  const isKilled = world.proxy.seen(when).then(() => command.process.kill('SIGKILL'))
  // What ends by itself has not come that far.
  expect(await Promise.race([isKilled, command.ended])).toBe(true)
  await command.ended
}

describe.skipIf(noWindows !== undefined)('the command line on Windows', () => {
  it('puts and gets a file in parts, ends with 0, and leaves no state behind once it runs again', async () => {
    const world = await createWindowsWorld()
    const digest = await writeRandomFile(world.path('big'), 20 * MIB)
    const put = await world.run('put', world.windowsPath('big'), 'big')
    expect(put).toMatchObject({ status: 0, stderr: '' })
    expect(put.lines.at(-1)).toMatchObject({ event: 'done', verification: 'etag-multipart' })
    const states = await keptStates(world)
    const get = await world.run('get', 'big', world.windowsPath('back'))
    expect(get).toMatchObject({ status: 0, stderr: '' })
    expect(get.lines.at(-1)).toMatchObject({ event: 'done', verification: 'etag-multipart' })
    expect(await sha256Of(world.path('back'))).toBe(digest)
    // What a command could not delete while it ran, the next one does.
    const statesNow = await keptStates(world)
    expect(states.filter((state) => statesNow.includes(state))).toEqual([])
  })

  it('takes a folder up and down, with names that Windows has and names that it lacks', async () => {
    const world = await createWindowsWorld()
    await mkdir(world.path('in/Größe & Maß'), { recursive: true })
    const names = ['plain.txt', 'Übung 1.txt', '全角.txt', 'Größe & Maß/a b.txt']
    for (const name of names) await writeFile(world.path(`in/${name}`), `content of ${name}`)
    expect(await world.run('put', world.windowsPath('in'), 'up/')).toMatchObject({ status: 0, stderr: '' })
    await mkdir(world.path('odd/in'), { recursive: true })
    for (const name of ODD_NAMES) await writeFile(world.path(`odd/in/${name}`), 'odd')
    expect(await world.runHere('put', world.path('odd/in'), 'up/')).toMatchObject({ status: 0 })
    const got = await world.run('get', 'up/in/', world.windowsPath('out'))
    expect(got).toMatchObject({ status: 0 })
    expect(got.lines.filter(({ event }) => event === 'renamed')).toHaveLength(ODD_NAMES.length)
    for (const name of names) expect(await readFile(world.path(`out/${name}`), 'utf8')).toBe(`content of ${name}`)
    expect(withoutStreams(await readdir(world.path('out')))).toHaveLength(names.length + ODD_NAMES.length)
  })

  it('is killed in the middle, and goes on with what it has', async () => {
    const world = await createWindowsWorld()
    const digest = await writeRandomFile(world.path('big'), 40 * MIB)
    const put = ['put', world.windowsPath('big'), 'big', '--part-size', '6', '--connections', '1']
    const third = world.proxy.rule({ when: part(3), fault: { kind: 'stall', at: 'request' } })
    await killAt(world, part(3), put)
    third.remove()
    expect(await world.run(...put)).toMatchObject({ status: 0 })
    expect(world.proxy.requests(part(1))).toHaveLength(1)
    const last = { ...RANGE, ranged: true, covers: 40 * MIB - 1 }
    const stalled = world.proxy.rule({ when: last, fault: { kind: 'stall', at: 'request' } })
    const get = ['get', 'big', world.windowsPath('back')]
    await killAt(world, last, get)
    stalled.remove()
    expect(await world.run(...get)).toMatchObject({ status: 0 })
    expect(await sha256Of(world.path('back'))).toBe(digest)
    expect(withoutStreams(await readdir(world.path('.')))).toEqual(['back', 'big'])
  })

  it('goes on with a folder that was killed in the middle, below a path longer than Windows once allowed', async () => {
    const world = await createWindowsWorld()
    const deep = Array.from({ length: 6 }, (_, depth) => `${String(depth)} ${'long name '.repeat(5).trim()}`).join('/')
    await mkdir(world.path(`in/${deep}`), { recursive: true })
    const names = Array.from({ length: 40 }, (_, index) => `${deep}/${String(index)}.txt`)
    for (const name of names) await writeFile(world.path(`in/${name}`), `content of ${name}`)
    const digest = await writeRandomFile(world.path('in/big'), 20 * MIB)
    expect(await world.run('put', world.windowsPath('in'), 'up/')).toMatchObject({ status: 0, stderr: '' })
    const last = { method: 'GET', path: '/up/in/big', ranged: true, covers: 20 * MIB - 1 } as const
    const stalled = world.proxy.rule({ when: last, fault: { kind: 'stall', at: 'request' } })
    const get = ['get', 'up/in/', world.windowsPath('out')]
    await killAt(world, last, get)
    stalled.remove()
    const got = await world.run(...get)
    expect(got).toMatchObject({ status: 0 })
    // File Explorer opens none of them.
    const long = got.lines.filter(({ event }) => event === 'long-path').map(({ path }) => path)
    expect(long.sort()).toEqual(names.map((name) => world.windowsPath(`out/${name}`)).sort())
    for (const name of names) expect(await readFile(world.path(`out/${name}`), 'utf8')).toBe(`content of ${name}`)
    expect(await sha256Of(world.path('out/big'))).toBe(digest)
    expect(withoutStreams(await readdir(world.path('out')))).toEqual([deep.split('/')[0], 'big'])
  })

  it('moves a damaged database aside, and transfers all the same', async () => {
    const world = await createWindowsWorld()
    const digest = await writeRandomFile(world.path('big'), 20 * MIB)
    const put = ['put', world.windowsPath('big'), 'big']
    const stall = world.proxy.rule({ when: PART, fault: { kind: 'stall', at: 'request' } })
    await killAt(world, PART, put)
    stall.remove()
    const [state = ''] = await keptStates(world)
    const database = join(world.stateFolder, state, 'transfers.db')
    await unlink(`${database}-wal`).catch(() => undefined)
    await writeFile(database, 'no database '.repeat(1000))
    expect(await world.run(...put)).toMatchObject({ status: 0 })
    expect(await world.run('get', 'big', world.windowsPath('back'))).toMatchObject({ status: 0 })
    expect(await sha256Of(world.path('back'))).toBe(digest)
  })

  it('ends with 1 where a person is needed, and with 2 for wrong words', async () => {
    const world = await createWindowsWorld()
    expect(await world.run('get', 'nothing', world.windowsPath('back'))).toMatchObject({ status: 1 })
    expect(await world.run('put')).toMatchObject({ status: 2 })
    await writeFile(world.path('there'), 'a file of somebody')
    await writeFile(world.path('new'), 'another')
    expect(await world.runHere('put', world.path('new'), 'key')).toMatchObject({ status: 0 })
    const refused = await world.run('get', 'key', world.windowsPath('there'))
    expect(refused).toMatchObject({ status: 1 })
    expect(await readFile(world.path('there'), 'utf8')).toBe('a file of somebody')
  })

  it('stops at Ctrl+C with 3, and goes on later', async () => {
    const world = await createWindowsWorld()
    await writeRandomFile(world.path('big'), 20 * MIB)
    const put = ['put', world.windowsPath('big'), 'big']
    const command = await world.start(...put, '--limit-rate', '1M')
    await world.proxy.seen(PART)
    command.process.kill('SIGINT')
    expect(await command.ended).toMatchObject({ status: 3 })
    expect(await world.run(...put)).toMatchObject({ status: 0 })
  })
})
