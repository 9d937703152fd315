import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../support/tools/temp-dir.ts'
import { complete, createUpload, json, md5, startStore, uploadPart } from './support/fixture.ts'

const OBJECTS = 100_000

/** A folder whose journal holds these records, made without a request for each; there are no contents. */
async function folderOf(records: readonly unknown[]): Promise<string> {
  const directory = await tempDir()
  const lines = ['{"format":"sluice-demo-store","version":1}', ...records.map((record) => JSON.stringify(record))]
  await writeFile(join(directory, 'journal.jsonl'), `${lines.join('\n')}\n`)
  return directory
}

describe('100,000 objects', () => {
  it('are listed whole, in order, page by page', async () => {
    const records = Array.from({ length: OBJECTS }, (_, index) => {
      const key = `folder-${String(index % 100).padStart(2, '0')}/${String(index).padStart(6, '0')}`
      const object = {
        key,
        etag: md5('x'),
        contentType: 'text/plain',
        lastModifiedMs: index,
        sizeBytes: 1,
        contents: [],
      }
      return { type: 'object-put', bucket: 'demo', object }
    })
    const { client } = await startStore({ directory: await folderOf(records), credentials: null })
    const keys: string[] = []
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const page = json(await client.send({ path: `/demo/?marker=${encodeURIComponent(marker)}` })) as unknown as {
        Contents: { Key: string }[]
        NextMarker?: string
      }
      keys.push(...page.Contents.map(({ Key }) => Key))
      marker = page.NextMarker
    }
    expect(keys).toHaveLength(OBJECTS)
    expect(keys).toEqual([...keys].sort())
    const folders = json(await client.send({ path: '/demo/?delimiter=/' }))['CommonPrefixes'] as unknown as string[]
    expect(folders).toHaveLength(100)
    expect(folders.at(-1)).toBe('folder-99/')
  })
})

describe('10,000 parts', () => {
  it('are joined by one request', async () => {
    const upload = { uploadId: 'u', bucket: 'demo', key: 'key', contentType: 'text/plain', initiatedMs: 0 }
    const numbers = numbersTo(10_000)
    const digests = numbers.map((number) => md5(String(number)))
    const parts = numbers.map((partNumber, index) => {
      const part = { contentId: `c${index}`, sizeBytes: 6_000_000, md5: digests[index], lastModifiedMs: 0 }
      return { type: 'part-stored', uploadId: 'u', partNumber, part }
    })
    const directory = await folderOf([{ type: 'upload-created', upload }, ...parts])
    const { client } = await startStore({ directory, credentials: null })
    const response = await complete(
      client,
      '/demo/key',
      'u',
      numbers.map((number, index) => [number, digests[index] ?? ''] as const),
    )
    const etag = `"${md5(Buffer.from(digests.join(''), 'hex'))}-10000"`
    expect(json(response)).toMatchObject({ ETag: etag })
    const { headers } = await client.send({ method: 'HEAD', path: '/demo/key' })
    expect([headers['content-length'], headers.etag]).toEqual(['60000000000', etag])
  })

  it('are listed page by page', async () => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/key')
    await Promise.all(
      numbersTo(1002).map((number) => uploadPart(client, '/demo/key', uploadId, number, Buffer.from('x'))),
    )
    const path = `/demo/key?uploadId=${uploadId}`
    expect(json(await client.send({ path }))).toMatchObject({ IsTruncated: true, NextPartNumberMarker: 1000 })
    const rest = json(await client.send({ path: `${path}&part-number-marker=1000` }))
    expect(rest).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 1001 }, { PartNumber: 1002 }] })
  })
})

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
