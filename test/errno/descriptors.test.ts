import { expect, test } from 'vitest'
import { blockUntilFree, onceFree } from '../../electron/errno/descriptors.ts'

const error = (code: string) => Object.assign(new Error(code), { code })

/** Fails with each of `codes` in turn, and then opens. */
function opener(...codes: readonly string[]) {
  const left = [...codes]
  return () => {
    const code = left.shift()
    if (code !== undefined) throw error(code)
    return 'open'
  }
}

test.each([
  ['onceFree', onceFree],
  ['blockUntilFree', (open: () => string) => Promise.resolve(blockUntilFree(open))],
])('%s waits for a descriptor, and for nothing else', async (_name, open) => {
  expect(await open(opener('EMFILE', 'ENFILE', 'EMFILE'))).toBe('open')
  const denied = async () => open(opener('EMFILE', 'EACCES'))
  await expect(denied()).rejects.toMatchObject({ code: 'EACCES' })
})

test('a shortage that does not pass is reported', () => {
  const open = () => {
    throw error('EMFILE')
  }
  expect(() => blockUntilFree(open, 50)).toThrow('EMFILE')
})
