import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { crc32 } from '../../../electron/checksums/crc32.ts'
import { MIB } from '../../../shared/limits.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import { hasSignals } from '../../support/tools/run-cli.ts'

const SIZE = 15 * MIB + 7
const KEY = 'data/report.bin'

/** A partial file and what lies beside it, made by somebody who may read the object and knows how ours look. */
async function forge(world: CliWorld, bytes: Uint8Array, key = KEY, name = 'report.bin') {
  const { headers } = await fetch(`${world.proxy.endpoint}/demo/${key}`, { method: 'HEAD' })
  const sizeBytes = Number(headers.get('content-length'))
  const header = {
    version: 2,
    owner: 'elsewhere/1',
    location: { kind: 'place', placeId: 'any', bucket: 'demo' },
    endpoint: world.proxy.endpoint,
    key,
    targetPath: `/any/${name}`,
    sizeBytes,
    etag: headers.get('etag')?.replaceAll('"', ''),
    lastModified: headers.get('last-modified'),
  }
  const note = `[0,${Math.min(sizeBytes, bytes.length)},${crc32(bytes.subarray(0, sizeBytes))}]`
  return { partial: bytes, sidecar: `${JSON.stringify(header)}\n${note}\n` }
}

async function putBytes(world: CliWorld, key: string, bytes: Uint8Array | string, ...options: string[]): Promise<void> {
  const path = world.path(`source-${sha256(Buffer.from(key)).slice(0, 8)}`)
  await writeFile(path, bytes)
  expect(await world.run('put', path, key, ...options)).toMatchObject({ status: 0 })
}

/** Parts of this size are among no guesses: the ETag of the object proves nothing. */
const UNPROVABLE = ['--part-size', '7']

async function createTarget(world: CliWorld): Promise<string> {
  const target = world.path('target')
  await mkdir(target)
  return target
}

describe('a bucket that holds what looks like a partial file of ours', () => {
  it('can’t make its bytes those of another object', async () => {
    const world = await createCliWorld()
    const target = await createTarget(world)
    const bytes = randomBytes(SIZE)
    await putBytes(world, KEY, bytes, ...UNPROVABLE)
    const evil = await forge(world, Buffer.alloc(SIZE, 'EVIL '))
    await putBytes(world, 'pack/.report.bin.deadbeef.part', evil.partial)
    await putBytes(world, 'pack/.report.bin.deadbeef.part.json', evil.sidecar)
    expect(await world.run('get', 'pack/', target)).toMatchObject({ status: 0 })
    expect((await readdir(target)).toSorted()).toEqual([
      '．report.bin.deadbeef.part',
      '．report.bin.deadbeef.part.json',
    ])
    expect(await world.run('get', KEY, `${target}/`)).toMatchObject({ status: 0 })
    expect(await sha256OfFile(join(target, 'report.bin'))).toBe(sha256(bytes))
  })

  it('can’t make us write into a file of the person', async () => {
    const world = await createCliWorld()
    const target = await createTarget(world)
    await writeFile(join(target, '.notes.part'), 'my notes')
    const bytes = randomBytes(3 * MIB)
    await putBytes(world, 'data/notes', bytes)
    const { sidecar } = await forge(world, Buffer.alloc(3 * MIB), 'data/notes', 'notes')
    await putBytes(world, 'pack/.notes.part.json', sidecar)
    expect(await world.run('get', 'pack/', target)).toMatchObject({ status: 0 })
    expect(await world.run('get', 'data/notes', `${target}/`)).toMatchObject({ status: 0 })
    expect(await readFile(join(target, '.notes.part'), 'utf8')).toBe('my notes')
    expect(await sha256OfFile(join(target, 'notes'))).toBe(sha256(bytes))
  })
})

describe('a partial file that this user did not write', () => {
  it.each([
    ['by nothing', UNPROVABLE],
    ['by its ETag', []],
  ])('is replaced by the object where that is proven %s', async (_by, options) => {
    const world = await createCliWorld()
    const target = await createTarget(world)
    const bytes = randomBytes(SIZE)
    await putBytes(world, KEY, bytes, ...options)
    const { partial, sidecar } = await forge(world, Buffer.alloc(SIZE, 'EVIL '))
    const path = join(target, '.report.bin.deadbeef.part')
    await writeFile(path, partial)
    await writeFile(`${path}.json`, sidecar)
    const { ino } = await stat(path)
    expect(await world.run('get', KEY, `${target}/`)).toMatchObject({ status: 0 })
    expect(await sha256OfFile(join(target, 'report.bin'))).toBe(sha256(bytes))
    // It stays what it was, whosever it is.
    expect((await stat(path)).ino).toBe(ino)
    expect(await sha256OfFile(path)).toBe(sha256(partial))
    expect((await readdir(target)).toSorted()).toEqual([
      '.report.bin.deadbeef.part',
      '.report.bin.deadbeef.part.json',
      'report.bin',
    ])
  })

  it('saves fetching its bytes where the object’s ETag proves them', async () => {
    const world = await createCliWorld()
    const target = await createTarget(world)
    const bytes = randomBytes(SIZE)
    await putBytes(world, KEY, bytes)
    const { partial, sidecar } = await forge(world, bytes.subarray(0, 12 * MIB))
    const path = join(target, '.report.bin.deadbeef.part')
    await writeFile(path, partial)
    await writeFile(`${path}.json`, sidecar)
    const before = world.proxy.log.reduce((sum, { responseBytes }) => sum + responseBytes, 0)
    const result = await world.run('get', KEY, `${target}/`)
    expect(result.lines.at(-1)).toMatchObject({ event: 'done', verification: 'etag-multipart' })
    expect(await sha256OfFile(join(target, 'report.bin'))).toBe(sha256(bytes))
    const sent = world.proxy.log.reduce((sum, { responseBytes }) => sum + responseBytes, 0) - before
    expect(sent).toBeLessThan(5 * MIB)
    expect(await sha256OfFile(path)).toBe(sha256(partial))
  })
})

it.skipIf(process.platform === 'win32')('a pipe in the place of a sidecar holds up no download', async () => {
  const world = await createCliWorld()
  const target = await createTarget(world)
  const bytes = randomBytes(SIZE)
  await putBytes(world, KEY, bytes)
  const path = join(target, '.report.bin.deadbeef.part')
  await writeFile(path, bytes.subarray(0, 12 * MIB))
  execFileSync('mkfifo', [`${path}.json`])
  const command = world.start('get', KEY, `${target}/`)
  onTestFinished(() => void command.process.kill('SIGKILL'))
  expect(await command.ended).toMatchObject({ status: 0 })
  expect(await sha256OfFile(join(target, 'report.bin'))).toBe(sha256(bytes))
})

it.runIf(hasSignals)('a partial file of this user goes on in place when the state of its command is lost', async () => {
  const world = await createCliWorld()
  const target = await createTarget(world)
  const bytes = randomBytes(SIZE)
  await putBytes(world, KEY, bytes, ...UNPROVABLE)
  const stall = world.proxy.rule({
    when: { method: 'GET', path: `/${KEY}` },
    times: 1,
    fault: { kind: 'stall', at: { responseBytes: 6 * MIB } },
  })
  const first = world.start('get', KEY, `${target}/`, '--connections', '1')
  await expect.poll(() => stall.hits).toBe(1)
  const partial = async () => (await readdir(target)).find((name) => name.endsWith('.part')) ?? ''
  await expect.poll(async () => (await stat(join(target, await partial()))).size).toBeGreaterThanOrEqual(5 * MIB)
  first.process.kill('SIGTERM')
  expect((await first.ended).status).toBe(3)
  const { ino } = await stat(join(target, await partial()))
  // Another command line, and so another state.
  expect(await world.run('get', KEY, join(target, 'report.bin'))).toMatchObject({ status: 0 })
  expect((await stat(join(target, 'report.bin'))).ino).toBe(ino)
  expect(await sha256OfFile(join(target, 'report.bin'))).toBe(sha256(bytes))
  expect(await readdir(target)).toEqual(['report.bin'])
})
