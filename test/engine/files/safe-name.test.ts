import * as fs from 'node:fs/promises'
import { join, posix, relative, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveTarget } from '../../../electron/engine/files/safe-path.ts'
import {
  cutToBytes,
  nameKey,
  numberedName,
  safeFileName,
  uniqueName,
  type NameRules,
} from '../../../electron/engine/files/safe-name.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** A key as a path, the way folder downloads lay keys out. */
function safeRelativePath(key: string): string {
  return key
    .split('/')
    .map((segment) => safeFileName(segment))
    .join('/')
}

/** Keys made of what makes trouble, and of anything else. */
const trouble = fc.constantFrom(
  ...[
    '.',
    '..',
    '/',
    '\\',
    ':',
    'C:',
    'CON',
    'nul.txt',
    'COM¹',
    ' ',
    'a',
    '\0',
    '\u202e',
    '‛',
    '．',
    '␀',
    'é',
    '💾',
    '%2f',
  ],
)
const key = fc
  .array(fc.oneof(trouble, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** The way back: what the name was made of. Quoted characters are themselves, look-alikes what they stand for. */
function keyOf(name: string, { takesUnixNames }: NameRules): string {
  return name.replace(
    /\u201b(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|(.))|([\uff01-\uff5e])|([\u2400-\u2421])/gsu,
    (
      _whole,
      long: string | undefined,
      short: string | undefined,
      quoted: string | undefined,
      wide: string | undefined,
      picture: string | undefined,
    ) => {
      if (quoted !== undefined) return quoted
      const digits = long ?? short
      if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16))
      if (wide !== undefined) {
        const plain = String.fromCodePoint((wide.codePointAt(0) ?? 0) - 0xfee0)
        return (takesUnixNames === true ? '/.' : '<>:"|?*\\/.').includes(plain) ? plain : wide
      }
      const code = (picture?.codePointAt(0) ?? 0) - 0x2400
      return code === 0x21 ? '\x7f' : String.fromCharCode(code)
    },
  )
}

const STRICT: NameRules = { platform: 'linux' }
const UNIX: NameRules = { ...STRICT, takesUnixNames: true }

describe('safeFileName', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['.bashrc', '.bashrc'],
    ['', '_'],
    ['.', '．'],
    ['..', '．．'],
    ['a:b', 'a：b'],
    ['x::$DATA', 'x：：$DATA'],
    ['..\\e', '..＼e'],
    ['a\0b', 'a␀b'],
    ['a.', 'a．'],
    ['a ', 'a␠'],
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['COM¹.log', 'COM¹_.log'],
    ['conin$', 'conin$_'],
    ['console.txt', 'console.txt'],
    ['gpj.\u202eexe', 'gpj.‛u202eexe'],
    ['a：b', 'a‛：b'],
    ['a\u00adb\u3164.txt', 'a‛u00adb‛u3164.txt'],
    ['a\u{e0041}', 'a‛u{e0041}'],
    ['☎\ufe0f.txt', '☎\ufe0f.txt'],
    ['日本語 (1).txt', '日本語 (1).txt'],
  ])('%j becomes %j', (segment, name) => {
    expect(safeFileName(segment)).toBe(name)
  })

  test.each([
    'a:b',
    'hash#q?x.bin',
    '<a> "b" | c*',
    'back\\slash',
    'a.',
    'a ',
    'CON',
    'nul.txt',
    'なに？！.txt',
    '全：角',
  ])('%j stays as it is where the volume takes what Unix allows', (segment) => {
    expect(safeFileName(segment, UNIX)).toBe(segment)
    expect(safeFileName(segment, STRICT)).not.toBe(segment)
  })

  test.each([
    ['.', '．'],
    ['..', '．．'],
    ['．．', '‛．‛．'],
    ['a/b', 'a／b'],
    ['a\0b', 'a␀b'],
    ['a\nb\t', 'a␊b␉'],
    ['gpj.\u202eexe', 'gpj.‛u202eexe'],
    ['.x.0123abcd.part', '．x.0123abcd.part'],
    ['.bashrc', '.bashrc'],
  ])('%j becomes %j even there', (segment, name) => {
    expect(safeFileName(segment, UNIX)).toBe(name)
  })

  test.each([
    ['.bashrc', '．bashrc'],
    ['．bashrc', '‛．bashrc'],
    ['notes', 'notes'],
  ])('%j becomes %j in a home folder', (segment, name) => {
    for (const rules of [UNIX, STRICT]) expect(safeFileName(segment, { ...rules, isHome: true })).toBe(name)
  })

  test('is a name that every system stores as it is', () => {
    fc.assert(
      fc.property(key, (segment) => {
        const name = safeFileName(segment)
        // eslint-disable-next-line no-control-regex
        expect(name).not.toMatch(/[<>:"|?*\\/\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069\u200b-\u200f]|[ .]$/)
        expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i)
        expect(Buffer.from(name).toString()).toBe(name)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
        expect(name.length).toBeGreaterThan(0)
      }),
    )
  })

  test('gives different keys different names, unless they are cut or reserved', () => {
    const short = key.filter((text) => text !== '' && text !== '_' && Buffer.byteLength(text) < 30)
    fc.assert(
      fc.property(short, short, (a, b) => {
        fc.pre(a !== b && !safeFileName(a).includes('_') && !safeFileName(b).includes('_'))
        expect(safeFileName(a)).not.toBe(safeFileName(b))
      }),
    )
  })

  test('is reversible, unless it is cut or reserved', () => {
    fc.assert(
      fc.property(
        key.filter((text) => text !== '' && Buffer.byteLength(text) < 30),
        (segment) => {
          for (const rules of [STRICT, UNIX]) {
            const name = safeFileName(segment, rules)
            fc.pre(!name.includes('_'))
            expect(keyOf(name, rules)).toBe(segment)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['desktop.ini', '_desktop.ini'],
    ['AutoRun.inf', '_AutoRun.inf'],
    ['report.LNK', 'report.LNK.download'],
    ['a.scf', 'a.scf.download'],
    ['a.url', 'a.url.download'],
    ['a.library-ms', 'a.library-ms.download'],
    ['.gitignore', '.gitignore'],
    ['a.url.txt', 'a.url.txt'],
    ['curl', 'curl'],
  ])('on Windows %j, which may act when its folder is shown, becomes %j', (segment, name) => {
    expect(safeFileName(segment, { platform: 'win32' })).toBe(name)
    expect(safeFileName(segment, { platform: 'linux' })).toBe(segment)
  })

  test.each([
    ['.x.part', '．x.part'],
    ['.x.0123abcd.PART.json', '．x.0123abcd.PART.json'],
    ['.x.part.j\u017fon.new', '．x.part.j\u017fon.new'],
    ['.sluice-0123abcd.part', '．sluice-0123abcd.part'],
    ['.part', '．part'],
    ['x.part', 'x.part'],
    ['.x.part.txt', '.x.part.txt'],
    ['.apart', '.apart'],
  ])('%j, which may look like a partial file of ours, becomes %j', (segment, name) => {
    expect(safeFileName(segment)).toBe(name)
  })

  test('never gives a name of a partial file, of what lies beside one, or of a scratch folder', () => {
    const piece = fc.constantFrom(
      '.',
      'part',
      'PART',
      '.part',
      '.json',
      '.j\u017fon',
      '.new',
      'x',
      '.sluice-1',
      ' ',
      '\uff0e',
    )
    const look = fc.array(fc.oneof({ weight: 5, arbitrary: piece }, trouble), { maxLength: 8 })
    fc.assert(
      fc.property(look, fc.nat(300), fc.nat(3), (pieces, length, number) => {
        const segment = `${pieces.join('')}${'.'.repeat(length % 2)}${'é'.repeat(length)}${pieces.join('')}`
        const name = safeFileName(segment, number % 2 === 0 ? STRICT : UNIX)
        for (const given of [name, number === 0 ? name : numberedName(name, number)]) {
          const folded = given.toLowerCase().replaceAll('\u017f', 's')
          const isOurs =
            folded.startsWith('.') && ['.part', '.part.json', '.part.json.new'].some((end) => folded.endsWith(end))
          expect(isOurs).toBe(false)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('is stable: a safe name of plain characters stays as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9é日][a-zA-Z0-9 ()é日._-]{0,40}[a-z0-9]$/), (name) => {
        fc.pre(!/^(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\.|$)/i.test(name))
        expect(safeFileName(name)).toBe(name)
      }),
    )
  })

  test('cuts long names before their extension, and tells them apart', () => {
    const [a, b] = [safeFileName(`${'é'.repeat(300)}a.tar.gz`), safeFileName(`${'é'.repeat(300)}b.tar.gz`)]
    expect(a).toMatch(/^é+~[0-9a-f]{8}\.tar\.gz$/)
    expect(a).not.toBe(b)
  })
})

test.each(['../../e', 'a/../../e', '/abs/e', 'C:\\e', 'D:e', '\\\\h\\s\\e', '..\\e', '//x', 'a//b/'])(
  'the key %j stays inside the folder on every system',
  (name) => {
    const path = safeRelativePath(name)
    expect(posix.resolve('/root', path)).toMatch(/^\/root\/./)
    expect(win32.resolve('C:\\root', path)).toMatch(/^C:\\root\\./)
  },
)

test('no key leaves the folder', () => {
  fc.assert(
    fc.property(key, (name) => {
      const path = safeRelativePath(name)
      expect(posix.relative('/root', posix.resolve('/root', path))).toBe(path)
      expect(win32.relative('C:\\root', win32.resolve('C:\\root', path))).toBe(path.replaceAll('/', '\\'))
    }),
  )
})

test('numbers go before the extension', () => {
  expect(numberedName('report.pdf', 1)).toBe('report (1).pdf')
  expect(numberedName('set.tar.gz', 2)).toBe('set (2).tar.gz')
  expect(numberedName('.bashrc', 1)).toBe('.bashrc (1)')
  expect(numberedName('README', 10)).toBe('README (10)')
  expect(Buffer.byteLength(numberedName(`${'x'.repeat(251)}.txt`, 10))).toBe(255)
})

test('names that a file system may take for the same are told apart', () => {
  const taken = new Set(['A.txt', 'é', 'straße'].map(nameKey))
  expect(uniqueName('a.txt', taken)).toBe('a (1).txt')
  expect(uniqueName('e\u0301', taken)).toBe('e\u0301 (1)')
  expect(uniqueName('STRASSE', taken)).toBe('STRASSE (1)')
  expect(uniqueName('b.txt', taken)).toBe('b.txt')
})

test('text is cut between characters', () => {
  expect(cutToBytes('a💾b', 4)).toBe('a')
  expect(cutToBytes('a💾b', 5)).toBe('a💾')
})

describe('resolveTarget', () => {
  test('creates the folders in between', async () => {
    const root = await tempDir()
    const target = await resolveTarget(fs, root, safeRelativePath('a/b/../c.txt'))
    expect(relative(root, target)).toBe(join('a', 'b', '．．', 'c.txt'))
    await fs.writeFile(target, 'x')
    expect(await resolveTarget(fs, root, safeRelativePath('a/b/../c.txt'))).toBe(target)
  })

  test('follows no link below the folder', async () => {
    const root = await tempDir()
    const outside = await tempDir()
    await fs.symlink(outside, join(root, 'a'), 'junction')
    await expect(resolveTarget(fs, root, 'a/b/c')).rejects.toMatchObject({ info: { code: 'target-unwritable' } })
    expect(await fs.readdir(outside)).toEqual([])
  })

  test('refuses a file in the place of a folder, and a way out', async () => {
    const root = await tempDir()
    await fs.writeFile(join(root, 'foo'), 'x')
    await expect(resolveTarget(fs, root, 'foo/bar')).rejects.toMatchObject({ info: { code: 'target-unwritable' } })
    await expect(resolveTarget(fs, root, '../x')).rejects.toMatchObject({ info: { code: 'target-unwritable' } })
  })
})
