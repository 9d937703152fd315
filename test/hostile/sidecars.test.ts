import fc from 'fast-check'
import { truncate, writeFile } from 'node:fs/promises'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sidecarPathOf } from '../../electron/engine/partial-file/partial-file.ts'
import { parseSidecar, readSidecar } from '../../electron/engine/partial-file/sidecar.ts'
import { almost, expectNoPollution, hostileJson, hostileText } from '../support/tools/hostile.ts'
import { SIDECAR_KEY } from '../support/tools/sidecar-key.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

expectNoPollution()

const HEADER = {
  ...{ version: 2, owner: 'host/1', location: { kind: 'link', url: 'https://example.com/a' }, endpoint: null },
  ...{ key: 'set.bin', targetPath: '/any/set.bin', sizeBytes: 1000, etag: null, lastModified: null },
}

const line = fc.oneof(
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
  fc.tuple(fc.integer(), fc.integer(), fc.option(fc.integer())).map((note) => JSON.stringify(note)),
)
const first = fc.oneof(almost(HEADER), fc.constant(HEADER), hostileJson).map((header) => JSON.stringify(header))

test('whatever a sidecar says, it is of bytes that the object has, and not ours', () => {
  fc.assert(
    fc.property(first, fc.array(line, { maxLength: 20 }), (header, lines) => {
      const content = parseSidecar([header, ...lines].join('\n'), SIDECAR_KEY)
      if (content === null) return
      const { written, identity, isOurs } = content
      expect(isOurs).toBe(false)
      for (const { start, end, crc32 } of written) {
        expect(start >= 0 && start < end && end <= identity.sizeBytes && crc32 <= 0xffff_ffff).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('one nested without end is none, and read at once', () => {
  expect(parseSidecar(`${'{"location":'.repeat(1_000_000)}`, SIDECAR_KEY)).toBeNull()
  expect(parseSidecar(`{"a":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}`, SIDECAR_KEY)).toBeNull()
})

test('one of a terabyte is not read', async () => {
  const partial = join(await tempDir(), '.a.part')
  await writeFile(sidecarPathOf(partial), JSON.stringify(HEADER))
  await truncate(sidecarPathOf(partial), 2 ** 40)
  expect(await readSidecar(fileSystem, partial, SIDECAR_KEY)).toBeNull()
})
