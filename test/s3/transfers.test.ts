import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { signal } from '../stores/support/open-store.ts'
import { startFaultProxy } from '../support/fault-server/fault-server.ts'
import { notedBytes } from '../support/tools/noted-bytes.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { runCli, startCli } from '../support/tools/run-cli.ts'
import { startTcpProxy } from '../support/proxies/tcp-proxy.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { describeOnServers } from './support/servers.ts'
import { openUploads, putPart, type S3World } from './support/world.ts'

/** A file of random bytes, a state folder, and the command line for a bucket of its own. */
async function createBench(world: S3World, sizeBytes: number) {
  const folder = await tempDir()
  const source = join(folder, 'source.bin')
  const sha256 = await writeRandomFile(source, sizeBytes)
  const state = ['--state-dir', join(folder, 'state')]
  const copy = join(folder, 'copy.bin')
  /** A narrow way to the server. */
  const startNarrowProxy = async (totalBytesPerSecond: number) => {
    const proxy = await startTcpProxy({ targetPort: Number(new URL(world.server.endpoint).port), totalBytesPerSecond })
    onTestFinished(() => proxy.close())
    return proxy
  }
  return { ...world, folder, source, sha256, state, copy, startNarrowProxy, small: [...state, '--part-size', '6'] }
}

describeOnServers('transfers', (createWorld) => {
  const openBench = async (sizeBytes: number) => createBench(await createWorld(), sizeBytes)

  test.each([0, 1, 5 * MIB, 40 * MIB + 1])('brings back a file of %i bytes as it was', async (sizeBytes) => {
    const { source, sha256, copy, small, state, environment } = await openBench(sizeBytes)
    const key = 'a folder/ü +%.bin'
    const put = await runCli(['put', source, key, ...small], environment())
    expect(put).toMatchObject({ status: 0, stderr: '' })
    expect(put.lines.at(-1)).toMatchObject({ event: 'done' })
    const get = await runCli(['get', key, copy, ...state], environment())
    expect(get).toMatchObject({ status: 0 })
    expect(get.lines.at(-1)).toMatchObject({ event: 'done', verification: expect.stringMatching(/^etag-/) as string })
    expect(await sha256Of(copy)).toBe(sha256)
    const list = await runCli(['ls', 'a folder/'], environment())
    expect(list.lines.at(-1)).toMatchObject({ key, sizeBytes })
  })

  test.each([
    [5 * MIB, 'etag-md5'],
    [12 * MIB, 'etag-multipart'],
  ])('proves an upload of %i bytes by its %s', async (sizeBytes, verification) => {
    const { source, small, environment } = await openBench(sizeBytes)
    const put = await runCli(['put', source, 'k', ...small], environment())
    expect(put.lines.at(-1)).toMatchObject({ event: 'done', verification })
  })

  test('proves a file of uneven parts where the service tells them, and says so where it does not', async () => {
    const { store, copy, state, environment } = await openBench(1)
    const pieces = [randomBytes(6 * MIB), randomBytes(5 * MIB + 17), Buffer.from('end')]
    const upload = { key: 'k', uploadId: (await store.createMultipartUpload({ key: 'k', signal })).uploadId }
    const parts = []
    for (const [index, bytes] of pieces.entries()) parts.push(await putPart(store, upload, index + 1, bytes))
    await store.completeMultipartUpload({ ...upload, parts, signal })
    const told = await store.headPart?.({ key: 'k', partNumber: 2, signal }).catch(() => null)
    const get = await runCli(['get', 'k', copy, ...state], environment())
    expect(get).toMatchObject({ status: 0 })
    expect(get.lines.at(-1)).toMatchObject(
      told?.sizeBytes === 5 * MIB + 17
        ? { event: 'done', verification: 'etag-multipart' }
        : { event: 'done', verification: 'size-only', message: expect.stringMatching(/^Only the size/) as string },
    )
    expect((await readFile(copy)).equals(Buffer.concat(pieces))).toBe(true)
  })

  test('brings back a folder of small files', async () => {
    const { source, folder, small, state, environment } = await openBench(10)
    const names = ['a.txt', 'b c.txt', 'd+e.txt', 'f%20.txt', 'ü.txt']
    for (const name of names) await writeFile(join(folder, name), name)
    const files = names.map((name) => join(folder, name))
    expect(await runCli(['put', ...files, source, 'in/', ...small], environment())).toMatchObject({ status: 0 })
    const target = `${join(folder, 'out')}/`
    expect(await runCli(['get', 'in/', target, ...state], environment())).toMatchObject({ status: 0 })
    for (const name of names) expect(await sha256Of(join(target, name))).toBe(await sha256Of(join(folder, name)))
  })

  test('goes on with an upload that was killed', async () => {
    const { source, sha256, copy, small, state, store, environment, startNarrowProxy } = await openBench(72 * MIB)
    const proxy = await startNarrowProxy(16 * MIB)
    const put = ['put', source, 'k', '--connections', '2', ...small]
    const first = startCli(put, environment(proxy.endpoint))
    await expect.poll(() => proxy.bytesToTarget).toBeGreaterThan(48 * MIB)
    first.process.kill('SIGKILL')
    await first.ended
    const before = proxy.bytesToTarget
    const again = await runCli(put, environment(proxy.endpoint))
    expect(again).toMatchObject({ status: 0 })
    // What is left, and two parts of 6 MiB twice: those under way when it was killed are still in the sockets, and come
    // again.
    expect(proxy.bytesToTarget - before).toBeLessThan(50 * MIB)
    expect(await runCli(['get', 'k', copy, ...state], environment())).toMatchObject({ status: 0 })
    expect(await sha256Of(copy)).toBe(sha256)
    expect(await openUploads(store)).toEqual([])
  })

  test('goes on with a download that was killed', async () => {
    const { source, sha256, folder, copy, small, state, environment, startNarrowProxy } = await openBench(48 * MIB)
    await runCli(['put', source, 'k', ...small], environment())
    const proxy = await startNarrowProxy(12 * MIB)
    const first = startCli(['get', 'k', copy, ...state], environment(proxy.endpoint))
    await proxy.passed(36 * MIB)
    proxy.limit(0)
    await expect.poll(() => notedBytes(folder)).toBeGreaterThan(8 * MIB)
    first.process.kill('SIGKILL')
    await first.ended
    const before = proxy.bytesToClient
    proxy.limit(null)
    expect(await runCli(['get', 'k', copy, ...state], environment(proxy.endpoint))).toMatchObject({ status: 0 })
    expect(proxy.bytesToClient - before).toBeLessThan(44 * MIB)
    expect(await sha256Of(copy)).toBe(sha256)
  })

  test('never mixes an object with the one that took its place', async () => {
    const { source, sha256: old, copy, folder, small, state, environment, startNarrowProxy } = await openBench(48 * MIB)
    const other = join(folder, 'other.bin')
    const sha256 = await writeRandomFile(other, 24 * MIB)
    await runCli(['put', source, 'k', ...small], environment())
    const proxy = await startNarrowProxy(12 * MIB)
    const get = startCli(['get', 'k', copy, ...state], environment(proxy.endpoint))
    await proxy.passed(12 * MIB)
    proxy.limit(0)
    const elsewhere = ['--state-dir', join(folder, 'elsewhere'), '--part-size', '6']
    expect(await runCli(['put', other, 'k', ...elsewhere], environment())).toMatchObject({ status: 0 })
    proxy.limit(null)
    expect(await get.ended).toMatchObject({ status: 0 })
    // Where all of the old one was on its way already, it comes whole.
    expect([old, sha256]).toContain(await sha256Of(copy))
  })

  test('finds out that it is done when the response to Complete is lost', async () => {
    const { source, sha256, copy, small, state, store, environment, server } = await openBench(20 * MIB)
    const proxy = await startFaultProxy({ target: server.endpoint })
    onTestFinished(() => proxy.close())
    const complete = { method: 'POST', query: { uploadId: true } }
    const lost = proxy.rule({ when: complete, times: 1, fault: { kind: 'drop-response' } })
    const put = await runCli(['put', source, 'k', ...small], environment(proxy.endpoint))
    expect(put).toMatchObject({ status: 0 })
    expect(lost.hits).toBe(1)
    expect(proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(1)
    expect(await runCli(['get', 'k', copy, ...state], environment())).toMatchObject({ status: 0 })
    expect(await sha256Of(copy)).toBe(sha256)
    expect(await openUploads(store)).toEqual([])
  })

  test('aborts what it is told to', async () => {
    const { store, environment } = await openBench(1)
    const { uploadId } = await store.createMultipartUpload({ key: 'a b', signal })
    const listed = await runCli(['uploads'], environment())
    expect(listed.lines).toMatchObject([{ key: 'a b', uploadId }])
    const abort = ['uploads', 'abort', 'a b', '--upload-id', uploadId]
    expect(await runCli(abort, environment())).toMatchObject({ status: 0 })
    expect(await openUploads(store)).toEqual([])
  })
})
