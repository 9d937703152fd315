import fc from 'fast-check'
import { createLayout } from '../../electron/engine/folders/layout.ts'
import { expect, test } from 'vitest'
import { isAbsolute, posix, win32 } from 'node:path'
import { expectNoPollution, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const segment = fc.oneof(hostileText, fc.constantFrom('a', 'A', 'b', ' ', '...'))
const keys = fc.uniqueArray(
  fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/').slice(0, 1024)),
  { maxLength: 12 },
)

test.each(['linux', 'win32', 'darwin'] as const)('whatever is listed, files stay in their folder on %s', (platform) => {
  fc.assert(
    fc.property(keys, (listed) => {
      const layout = createLayout([], { platform })
      const paths = listed.sort().map((key) => layout.fileOf(key))
      expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(paths.length)
      for (const path of [...paths, ...listed.map((key) => layout.folderOf(`${key}/`))]) {
        expect(isAbsolute(path) || win32.isAbsolute(path)).toBe(false)
        expect(posix.join('/root/', path).startsWith('/root/')).toBe(true)
        expect(win32.join('C:\\root\\', path).startsWith('C:\\root\\')).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})
