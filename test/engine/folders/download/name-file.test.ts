import { describe, expect, it } from 'vitest'
import { nameFile, type NamingCalls } from '../../../../electron/engine/folders/download/name-file.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'

type Call = 'link' | 'open' | 'rename' | 'unlink'

const TEMP = 'scratch/7'
const TARGET = 'folder/file'

/** A folder with the written file, whose calls fail with these codes first. */
function createFolder(codes: Partial<Record<Call, readonly string[]>>, ...others: readonly string[]) {
  const names = new Set([TEMP, ...others])
  const left = new Map(Object.entries(codes).map(([call, list]) => [call, [...list]]))
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code })
  }
  const tried = (call: Call): void => {
    const code = left.get(call)?.shift()
    if (code !== undefined) fail(code)
  }
  const add = (path: string): void => {
    if (names.has(path)) fail('EEXIST')
    names.add(path)
  }
  const calls: NamingCalls = {
    link: (_from, to) => {
      tried('link')
      add(to)
    },
    create: (path) => {
      tried('open')
      add(path)
    },
    rename: (from, to) => {
      tried('rename')
      names.delete(from)
      names.add(to)
    },
    unlink: (path) => {
      tried('unlink')
      names.delete(path)
    },
    areEqual: () => false,
  }
  return { names, calls }
}

const clock = createFakeClock()
const patience = { monotonicMs: () => clock.monotonicMs(), sleep: (delayMs: number) => clock.advance(delayMs) }

async function name(calls: NamingCalls, mayReplace = false) {
  return nameFile(calls, patience, { temp: TEMP, target: TARGET, mayReplace })
}

const BUSY = ['EBUSY', 'EBUSY']

describe('a small file that a virus scanner holds open', () => {
  it.each([
    ['replaces another', { rename: BUSY }, true],
    ['gets its name', { unlink: BUSY }, false],
    ['gets its name where there are no links', { link: ['EPERM'], rename: BUSY }, false],
  ] as const)('%s once it is let go', async (_what, codes, mayReplace) => {
    const { names, calls } = createFolder(codes)
    expect(await name(calls, mayReplace)).toEqual({ kind: 'written' })
    expect([...names]).toEqual([TARGET])
  })

  it('is there although its other name can’t go', async () => {
    const { names, calls } = createFolder({ unlink: new Array<string>(50).fill('EBUSY') })
    expect(await name(calls)).toEqual({ kind: 'written' })
    expect(names).toContain(TARGET)
  })

  it('leaves no empty file behind when it is held for too long', async () => {
    const { names, calls } = createFolder({ link: ['ENOTSUP'], rename: new Array<string>(50).fill('EBUSY') })
    await expect(name(calls)).rejects.toMatchObject({ code: 'EBUSY' })
    expect([...names]).toEqual([TEMP])
  })
})

it('takes no name that something has', async () => {
  const { names, calls } = createFolder({}, TARGET)
  expect(await name(calls)).toEqual({ kind: 'taken' })
  expect(names).toContain(TEMP)
})
