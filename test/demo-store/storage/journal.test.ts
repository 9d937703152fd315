import { appendFile, copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Journal } from '../../../electron/demo-store/storage/journal.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

interface Entry {
  readonly name: string
  readonly value: string
}

/** A journal over a map from names to values. */
async function openJournal(path: string, beforeWrite: () => Promise<void> = () => Promise.resolve()) {
  const state = new Map<string, string>()
  const journal = await Journal.open<Entry, number>({
    path,
    apply: ({ name, value }) => state.set(name, value).size,
    *snapshot() {
      for (const [name, value] of state) yield { name, value }
    },
    beforeWrite,
    freesSpace: () => false,
    makeRoom: () => Promise.resolve(),
  })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await journal.close()
    isOpen = false
  }
  onTestFinished(close)
  return { state, journal, close }
}

describe('Journal', () => {
  it('applies entries in order once they are written, and again when opened', async () => {
    const path = join(await tempDir(), 'journal')
    const { journal, close } = await openJournal(path)
    const names = ['a', 'b', 'a', 'ü\n', 'c']
    const outcomes = await Promise.all(names.map((name, index) => journal.append({ name, value: String(index) })))
    expect(outcomes).toEqual([1, 2, 2, 3, 4])
    await close()
    const again = await openJournal(path)
    expect([...again.state]).toEqual([['a', '2'], ['b', '1'], ['ü\n', '3'], ['c', '4']]) // prettier-ignore
  })

  it('waits for what an entry refers to, and forgets the entry when that fails', async () => {
    const path = join(await tempDir(), 'journal')
    let failure: Error | null = null
    const { journal, state, close } = await openJournal(path, () =>
      failure === null ? Promise.resolve() : Promise.reject(failure),
    )
    await journal.append({ name: 'a', value: '1' })
    failure = new Error('disk gone')
    await expect(journal.append({ name: 'b', value: '2' })).rejects.toThrow('disk gone')
    failure = null
    await journal.append({ name: 'c', value: '3' })
    expect([...state.keys()]).toEqual(['a', 'c'])
    await close()
    expect([...(await openJournal(path)).state.keys()]).toEqual(['a', 'c'])
  })

  it('rewrites itself when most of it is history, losing nothing', async () => {
    const path = join(await tempDir(), 'journal')
    const { journal, state, close } = await openJournal(path)
    await journal.append({ name: 'first', value: 'x' })
    const value = 'v'.repeat(256 * 1024)
    for (let turn = 0; turn < 200; turn++) {
      await Promise.all(
        [0, 1].map((half) => journal.append({ name: `n${turn % 3}`, value: `${turn}.${half} ${value}` })),
      )
    }
    expect((await stat(path)).size).toBeLessThan(20 * 1024 * 1024)
    await journal.append({ name: 'last', value: 'y' })
    await close()
    const again = await openJournal(path)
    expect(again.state).toEqual(state)
    await again.journal.append({ name: 'later', value: 'z' })
    expect(again.state.get('later')).toBe('z')
  })

  it.each([
    ['an empty file', ''],
    ['no file', null],
  ])('begins with %s', async (_, content) => {
    const path = join(await tempDir(), 'journal')
    if (content !== null) await writeFile(path, content)
    const { journal, close } = await openJournal(path)
    await journal.append({ name: 'a', value: '1' })
    await close()
    expect([...(await openJournal(path)).state.keys()]).toEqual(['a'])
  })

  it('cut at any byte still holds every entry before the cut, and takes new ones', async () => {
    const directory = await tempDir()
    const { journal, close } = await openJournal(join(directory, 'journal'))
    const sizes = [(await stat(join(directory, 'journal'))).size]
    for (const name of ['a', 'b', 'c']) {
      await journal.append({ name, value: '1' })
      sizes.push((await stat(join(directory, 'journal'))).size)
    }
    await close()
    const whole = await readFile(join(directory, 'journal'))
    for (let length = sizes[0] ?? 0; length <= whole.length; length++) {
      const path = join(directory, `cut-${length}`)
      await writeFile(path, whole.subarray(0, length))
      const cut = await openJournal(path)
      // Its newline missing, the last line may be whole all the same.
      const certain = sizes.filter((size) => size <= length).length - 1
      expect([certain, certain + 1]).toContain(cut.state.size)
      await cut.journal.append({ name: 'new', value: '2' })
      await cut.close()
      const again = await openJournal(path)
      expect([...again.state.keys()]).toEqual([...['a', 'b', 'c'].slice(0, again.state.size - 1), 'new'])
      await again.close()
    }
  })

  it.each([
    ['has become longer', (path: string) => appendFile(path, 'theirs\n')],
    ['has become shorter', (path: string) => writeFile(path, '')],
    [
      'was replaced',
      async (path: string) => {
        await copyFile(path, `${path}.other`)
        await rename(`${path}.other`, path)
      },
    ],
    ['is gone', (path: string) => rm(path)],
  ])('appends nothing to a file that %s by somebody else', async (_, change) => {
    const path = join(await tempDir(), 'journal')
    const { journal, state } = await openJournal(path)
    await journal.append({ name: 'a', value: '1' })
    await change(path)
    const theirs = await readFile(path).catch(() => null)
    for (const name of ['b', 'c']) await expect(journal.append({ name, value: '2' })).rejects.toThrow()
    expect([...state.keys()]).toEqual(['a'])
    expect(await readFile(path).catch(() => null)).toEqual(theirs)
  })
})
