import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { MIB } from '../../../shared/limits.ts'
import { downloadFixture } from '../../support/worlds/download-fixture.ts'
import { expectFile, PROVEN } from '../../support/worlds/download-steps.ts'

test('of a drive that stops answering the download says that it waits for it, and goes on when it does', async () => {
  const bytes = randomBytes(8 * MIB)
  const fixture = await downloadFixture(bytes)
  let back: () => void = () => undefined
  const away = new Promise<void>((resolve) => (back = resolve))
  let writes = 0
  const fileSystem: FileSystem = {
    ...fs,
    async open(path, ...rest) {
      const handle = await fs.open(path, ...rest)
      if (!String(path).endsWith('.part')) return handle
      const writev = handle.writev.bind(handle)
      handle.writev = async (buffers, position) => {
        writes += 1
        if (writes > 2) await away
        return writev(buffers, position)
      }
      return handle
    },
  }
  const running = fixture.begin({ fileSystem })
  await expect.poll(() => running.waits, { timeout: 30_000 }).toEqual(['drive-unresponsive'])
  back()
  expect(await running.outcome).toEqual(PROVEN)
  expect(running.waits).toEqual(['drive-unresponsive'])
  await expectFile(fixture, bytes)
})
