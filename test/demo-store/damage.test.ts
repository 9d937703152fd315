import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import {
  complete,
  contentFiles,
  createUpload,
  eventually,
  MIN_PART,
  noise,
  put,
  uploadPart,
} from './support/fixture.ts'
import { RawClient } from './support/raw-client.ts'

const OPTIONS = { buckets: ['demo'], credentials: null } as const

/** A closed store with objects of one and of two contents, and the part of an upload. */
async function filledFolder(): Promise<string> {
  const directory = await tempDir()
  const store = await startDemoStore({ directory, ...OPTIONS })
  const client = new RawClient(store.endpoint)
  await put(client, '/demo/a.bin', noise(100))
  await put(client, '/demo/b.bin', noise(200))
  const uploadId = await createUpload(client, '/demo/c.bin')
  const first = await uploadPart(client, '/demo/c.bin', uploadId, 1, noise(MIN_PART + 1))
  const second = await uploadPart(client, '/demo/c.bin', uploadId, 2, noise(10))
  const { status } = await complete(client, '/demo/c.bin', uploadId, [[1, first], [2, second]]) // prettier-ignore
  expect(status).toBe(200)
  await uploadPart(client, '/demo/d.bin', await createUpload(client, '/demo/d.bin'), 1, noise(300))
  client.close()
  await store.close()
  return directory
}

/** The names of all contents, in use or moved aside. */
async function allContents(directory: string): Promise<readonly string[]> {
  const folders = (await readdir(directory)).filter((name) => name.startsWith('content'))
  return (await Promise.all(folders.map((name) => readdir(join(directory, name))))).flat().sort()
}

/** The start of a store, and its end; rejects as the start does. */
async function startAndStop(directory: string): Promise<{ readonly movedAside: string | null }> {
  const store = await startDemoStore({ directory, ...OPTIONS })
  await store.close()
  return store
}

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split('\n').slice(0, -1)

describe('A damaged journal', () => {
  it.each([
    [
      'a flipped bit',
      (line: string) => line.slice(0, 25) + String.fromCharCode(line.charCodeAt(25) ^ 1) + line.slice(26),
    ],
    ['a character less', (line: string) => line.slice(0, 20) + line.slice(21)],
    ['zeros', (line: string) => '\0'.repeat(line.length)],
    ['no line at all', () => null],
  ])('costs no content, whichever line has %s', async (_, damage) => {
    const directory = await filledFolder()
    const path = join(directory, 'journal.jsonl')
    const before = await contentFiles(directory)
    const whole = await readFile(path)
    const lines = linesOf(whole)
    expect(lines.length).toBeGreaterThan(7)
    for (let at = 0; at < lines.length; at++) {
      const changed = lines.map((line, index) => (index === at ? damage(line) : line)).filter((line) => line !== null)
      await writeFile(path, Buffer.from(`${changed.join('\n')}\n`, 'latin1'))
      const outcome = await startAndStop(directory).catch((error: Error) => error.message)
      expect(await allContents(directory), `line ${at + 1}`).toEqual(before)
      if (at === lines.length - 1) {
        // A crash may have cut it short.
        expect(outcome).toHaveProperty('movedAside', expect.stringContaining('content-unreferenced-'))
      } else {
        expect(outcome).toContain(path)
        expect(outcome, `line ${at + 1}`).toMatch(
          at === 0 ? /not a journal that this version can read/ : /is damaged in line/,
        )
        expect(await contentFiles(directory)).toEqual(before)
      }
    }
  })

  it.each([
    ['', ''],
    [', before an end that a crash cut short', '9 0000'],
  ])('whose last line was confirmed is kept as it was%s', async (_, end) => {
    const directory = await filledFolder()
    const path = join(directory, 'journal.jsonl')
    const damaged = (await readFile(path, 'latin1')).replace(/.\n$/s, '?\n') + end
    await writeFile(path, damaged, 'latin1')
    await startAndStop(directory)
    expect(await readFile(`${path}.damaged`, 'latin1')).toBe(damaged)
  })

  it.each([
    ['missing', null],
    ['empty', ''],
  ])('that is %s costs no content: they are moved aside', async (_, text) => {
    const directory = await filledFolder()
    const path = join(directory, 'journal.jsonl')
    const before = await contentFiles(directory)
    if (text === null) await rm(path)
    else await writeFile(path, text)
    const { movedAside } = await startAndStop(directory)
    expect((await readdir(movedAside ?? '')).sort()).toEqual(before)
    expect(await contentFiles(directory)).toEqual([])
  })
})

describe('A journal without checksums', () => {
  /** The same folder as an earlier version would have left it. */
  async function earlierFolder(change: (lines: string[]) => string[] = (lines) => lines): Promise<string> {
    const directory = await filledFolder()
    const path = join(directory, 'journal.jsonl')
    const [, ...lines] = linesOf(await readFile(path)).map((line) => line.replace(/^\d+ [0-9a-f]{8} /, ''))
    await writeFile(path, ['{"format":"sluice-demo-store","version":1}', ...change(lines), ''].join('\n'))
    return directory
  }

  it('is read, and has them from then on', async () => {
    const directory = await earlierFolder()
    const { movedAside } = await startAndStop(directory)
    expect(movedAside).toBeNull()
    expect(await readFile(join(directory, 'journal.jsonl'), 'utf8')).toMatch(/^.*"version":2\}\n2 [0-9a-f]{8} \{/)
    const store = await startDemoStore({ directory, ...OPTIONS })
    onTestFinished(() => store.close())
    const client = new RawClient(store.endpoint)
    onTestFinished(() => client.close())
    expect((await client.send({ path: '/demo/b.bin' })).body).toHaveLength(200)
    expect((await client.send({ path: '/demo/c.bin' })).body).toHaveLength(MIN_PART + 11)
  })

  it('loses no content by a damaged line, and is kept beside the new one', async () => {
    const directory = await earlierFolder((lines) =>
      lines.map((line, at) => (at === 1 ? line.replace(':', '?') : line)),
    )
    const before = await contentFiles(directory)
    const damaged = await readFile(join(directory, 'journal.jsonl'))
    const { movedAside } = await startAndStop(directory)
    expect(movedAside).not.toBeNull()
    expect(await allContents(directory)).toEqual(before)
    expect(await readFile(join(directory, 'journal.jsonl.v1'))).toEqual(damaged)
  })
})

describe('A start', () => {
  it('deletes what replaced and deleted objects left', async () => {
    const directory = await filledFolder()
    const [kept = ''] = await contentFiles(directory)
    const store = await startDemoStore({ directory, ...OPTIONS })
    const client = new RawClient(store.endpoint)
    const bytes = await readFile(join(directory, 'content', kept))
    for (const name of ['a.bin', 'b.bin', 'c.bin']) await client.send({ method: 'DELETE', path: `/demo/${name}` })
    client.close()
    await store.close()
    const left = await contentFiles(directory)
    // As if the process had ended before it came to the deletion.
    if (!left.includes(kept)) await writeFile(join(directory, 'content', kept), bytes)
    const again = await startDemoStore({ directory, ...OPTIONS })
    onTestFinished(() => again.close())
    expect(again.movedAside).toBeNull()
    await eventually(async () => (await contentFiles(directory)).length).toBe(1)
  })
})
