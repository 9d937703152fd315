import fc from 'fast-check'
import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { parseCommand, secretKeyFile } from '../../electron/cli/arguments.ts'
import { UsageError } from '../../electron/cli/usage-error.ts'
import { OPTIONS } from '../../electron/cli/manual/option-table.ts'
import { answerTo, commandAmong, filesAmong, linksAmong, MAX_FILES, sortExisting } from '../../electron/shell/launch.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'
import { expectNoPollution, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const option = fc
  .constantFrom(...Object.keys(OPTIONS))
  .chain((name) => fc.constantFrom(`--${name}`, `--${name}=`, `--${name}=1`, `--no-${name}`))
const word = fc.oneof(
  hostileText,
  option,
  fc.constantFrom('get', 'put', 'complete', 'uploads', 'ls', 'serve', 'list', 'finish', 'abort', '--', '-', '-i', '-h'),
  hostileText.map((text) => `sluice://${text}`),
)
const words = fc.array(word, { maxLength: 8 })
const names = ['SLUICE_ENDPOINT', 'SLUICE_DIALECT', 'SLUICE_SIGNATURE', 'SLUICE_PATH_STYLE', 'AWS_REGION', '__proto__']
const environment = fc
  .array(fc.tuple(fc.constantFrom(...names), hostileText))
  .map((entries) => Object.fromEntries(entries))

test('a command line is a command, or refused in one line', () => {
  fc.assert(
    fc.property(words, environment, (argv, given) => {
      try {
        secretKeyFile(argv)
        parseCommand(argv, given)
      } catch (failure) {
        expect(failure).toBeInstanceOf(UsageError)
        expect((failure as Error).message).not.toBe('')
      }
    }),
    { numRuns: 1000 },
  )
})

test('another launch gives links of ours and files that are there, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(words, hostileText, async (argv, folder) => {
      answerTo(argv, '1.0.0')
      commandAmong(argv, '/app')
      const links = linksAmong(argv)
      expect(links.every((link) => /^sluice:\/\//i.test(link) && link.length <= MAX_LINK_CHARS + 1)).toBe(true)
      const files = filesAmong(['sluice', ...argv], `/home/${folder}`, '/app')
      expect(files.every(isAbsolute)).toBe(true)
      // A path that no system can take is not there.
      expect((await sortExisting(files)).paths.every((path) => !path.includes('\0'))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('of a flood as much is taken as a person may mean', () => {
  const flood = Array.from({ length: 200_000 }, (_, index) => String(index))
  expect(filesAmong(flood, '/home', '/app')).toHaveLength(MAX_FILES)
})
