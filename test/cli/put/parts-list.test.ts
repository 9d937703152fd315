import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { createCliWorld, type CliWorld } from '../../support/worlds/cli-world.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'

const PART = 6 * MIB
const PARTS = { method: 'PUT', path: '/big', query: { partNumber: true } } as const

/** An upload of `big` to `in/big` of which another tool sent some parts. */
async function unfinished(world: CliWorld, partNumbers: readonly number[]) {
  const path = world.path('big')
  await writeRandomFile(path, 3 * PART + 9)
  const bytes = await readFile(path)
  const url = `${world.proxy.endpoint}/demo/in/big`
  const created = (await (await fetch(`${url}?uploads`, { method: 'POST' })).json()) as { UploadId: string }
  const uploadId = created.UploadId
  const sent: { PartNumber: number; ETag: string }[] = []
  for (const partNumber of partNumbers) {
    const body = bytes.subarray((partNumber - 1) * PART, partNumber * PART)
    const response = await fetch(`${url}?partNumber=${partNumber}&uploadId=${uploadId}`, { method: 'PUT', body })
    sent.push({ PartNumber: partNumber, ETag: response.headers.get('etag') ?? '' })
  }
  const list = world.path('parts.json')
  return { path, url, uploadId, sent, list, before: world.proxy.requests(PARTS).length }
}

async function expectWhole(world: CliWorld, path: string): Promise<void> {
  await world.run('get', 'in/big', world.path('back'))
  expect(await sha256Of(world.path('back'))).toBe(await sha256Of(path))
}

it('prints the parts of an upload, and completes it from them', async () => {
  const world = await createCliWorld()
  const { path, uploadId, list } = await unfinished(world, [1, 2, 3, 4])
  const printed = await world.run('uploads', 'parts', 'in/big')
  expect(printed.lines).toMatchObject([{ uploadId, key: 'in/big', bucket: 'demo', parts: { length: 4 } }])
  await writeFile(list, JSON.stringify(printed.lines[0]))
  expect(await world.run('complete', 'in/big', '--parts', list)).toMatchObject({ status: 0 })
  await expectWhole(world, path)
  expect(await world.run('complete', 'in/big', '--parts', list)).toMatchObject({ status: 0 })
})

it('prints nothing before the parts, however long the service makes it wait', async () => {
  const world = await createCliWorld()
  const { uploadId } = await unfinished(world, [1, 2])
  const isListing = ({ method, url }: { method: string; url: string }) => method === 'GET' && url.includes('uploadId=')
  const rule = world.proxy.rule({ when: { test: isListing }, fault: { kind: 'response', status: 503 }, times: 1 })
  const printed = await world.run('uploads', 'parts', 'in/big')
  expect(rule.hits).toBe(1)
  expect(printed.lines).toMatchObject([{ uploadId, key: 'in/big', parts: { length: 2 } }])
  expect(printed.told).toMatchObject([{ event: 'waiting', code: 'http-status', httpStatus: 503 }])
})

it('fills in what is missing from the local file, and sends nothing else', async () => {
  const world = await createCliWorld()
  const { path, url, uploadId, sent, list, before } = await unfinished(world, [1, 3])
  await writeFile(list, JSON.stringify({ Parts: sent }))
  const complete = ['complete', `${url}?uploadId=${uploadId}`, '--parts', list, path]
  expect(await world.run(...complete)).toMatchObject({ status: 0 })
  expect(world.proxy.requests(PARTS).slice(before)).toHaveLength(2)
  await expectWhole(world, path)
})

it('works where only the two documented operations exist, with and without the file', async () => {
  const world = await createCliWorld()
  const { path, uploadId, sent, list, before } = await unfinished(world, [1, 2, 3, 4])
  const isListing = ({ method, url }: { method: string; url: string }) => method === 'GET' && url.includes('uploadId=')
  world.proxy.rule({ when: { test: isListing }, fault: { kind: 'response', status: 404, body: '' } })
  const wrongFile = world.path('other')
  await writeRandomFile(wrongFile, 3 * PART + 9)
  await writeFile(
    list,
    JSON.stringify({ uploadId, parts: sent.map((part) => ({ partNumber: part.PartNumber, etag: part.ETag })) }),
  )
  const refused = await world.run('complete', 'in/big', '--parts', list, wrongFile)
  expect(refused.status).toBe(1)
  expect(refused.lines.at(-1)).toMatchObject({ code: 'another-file' })
  expect(await world.run('complete', 'in/big', '--parts', list, path)).toMatchObject({ status: 0 })
  expect(world.proxy.requests(PARTS)).toHaveLength(before)
  await expectWhole(world, path)
})

it('says in words what is wrong with the list, and completes nothing', async () => {
  const world = await createCliWorld()
  const { uploadId, sent, list } = await unfinished(world, [1, 2])
  const complete = async (content: unknown, ...options: string[]) => {
    await writeFile(list, typeof content === 'string' ? content : JSON.stringify(content))
    const { status, lines } = await world.run('complete', 'in/big', '--parts', list, ...options)
    return { status, ...lines.at(-1) }
  }
  expect(await complete({ Parts: sent })).toMatchObject({ status: 2, code: 'usage' })
  expect(await complete('{"Parts":')).toMatchObject({ status: 1, code: 'not-json' })
  expect(await complete({ uploadId, key: 'in/other', Parts: sent }, '--upload-id', 'x')).toMatchObject({
    code: 'another-upload',
  })
  const short = [{ ...sent[0], Size: 5 }, sent[1]]
  expect(await complete({ UploadId: uploadId, Parts: short })).toMatchObject({
    code: 'parts-differ',
    message: 'What the server has of part 1 is not what the list says.',
  })
  expect(await complete({ UploadId: uploadId, Parts: [...sent, { PartNumber: 9, ETag: 'x' }] })).toMatchObject({
    code: 'parts-differ',
    message: 'The server doesn’t have part 9.',
  })
  expect(world.proxy.requests({ method: 'POST', query: { uploadId: true } })).toEqual([])
})
