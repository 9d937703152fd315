import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../support/temp-dir.ts'
import { json, startStore } from './support/fixture.ts'

const OBJECTS = 100_000

/** A folder with many objects of one byte, made without storing each by a request; their contents are not there. */
async function folderOfMany(): Promise<string> {
  const directory = await tempDir()
  const etag = createHash('md5').update('x').digest('hex')
  const lines = Array.from({ length: OBJECTS }, (_, index) => {
    const key = `folder-${String(index % 100).padStart(2, '0')}/${String(index).padStart(6, '0')}`
    const object = { key, etag, contentType: 'text/plain', lastModifiedMs: index, sizeBytes: 1, contents: [] }
    return JSON.stringify({ type: 'object-put', bucket: 'demo', object })
  })
  const header = '{"format":"sluice-demo-store","version":1}'
  await writeFile(join(directory, 'journal.jsonl'), `${[header, ...lines].join('\n')}\n`)
  return directory
}

describe('100,000 objects', () => {
  it('are listed whole, in order, page by page', async () => {
    const { client } = await startStore({ directory: await folderOfMany(), credentials: null })
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
