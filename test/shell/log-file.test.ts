import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLogFile } from '../../electron/shell/log-file.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('keeps errors with their stack, and no secrets', async () => {
  const path = join(await tempDir(), 'logs', 'sluice.log')
  const log = createLogFile(path, () => 0)
  log.error('request app:info', new Error('no answer from https://s.example.com/a?sig=abc'))
  await log.flush()
  const text = await readFile(path, 'utf8')
  expect(text).toContain('1970-01-01T00:00:00.000Z request app:info: Error: no answer')
  expect(text).toContain('log-file.test.ts')
  expect(text).not.toContain('abc')
})

it('never grows beyond its bound', async () => {
  const path = join(await tempDir(), 'sluice.log')
  const log = createLogFile(path)
  for (let count = 0; count < 400; count++) log.error('x', 'y'.repeat(20_000))
  await log.flush()
  const sizes = [(await stat(path)).size, (await stat(`${path}.1`)).size]
  expect(sizes.filter((size) => size > 1_000_000)).toEqual([])
})
