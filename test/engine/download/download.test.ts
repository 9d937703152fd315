import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'

const DONE = { kind: 'completed', verification: 'etag-md5' }

test.each([0, 1, 5 * MIB, 5 * MIB + 1, 8 * MIB, 64 * MIB + 7])('downloads %i bytes and verifies them', async (size) => {
  const bytes = randomBytes(size)
  const fixture = await downloadFixture(bytes)
  const running = fixture.begin()
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(await fixture.files()).toEqual(['set.bin'])
  expect(running.progress).toMatchObject({ movedBytes: size, confirmedBytes: size, inFlightBytes: 0 })
  expect([...new Set(running.units.values())]).toEqual(size === 0 ? [] : ['done'])
  const head = await fixture.store.headObject({ key: 'data/set.bin', signal: new AbortController().signal })
  expect((await stat(fixture.target)).mtime.toUTCString()).toBe(head.lastModified)
})

test('one connection fetches no byte twice', async () => {
  const size = 64 * MIB + 7
  const fixture = await downloadFixture(randomBytes(size))
  expect(await fixture.begin({ connections: 1 }).outcome).toEqual(DONE)
  expect(fixture.sentBytes()).toBe(size)
  expect(fixture.proxy.maxConcurrent).toBe(1)
})
