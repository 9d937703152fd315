import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { MIB } from '../../../shared/limits.ts'
import type { LoggedRequest } from '../../support/fault-server/fault-exchange.ts'
import type { SeenRequest } from '../../support/fault-server/fault-rules.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture } from '../../support/worlds/download-fixture.ts'

const DONE = { kind: 'completed', verification: 'etag-md5' }

const startOf = ({ headers }: Pick<LoggedRequest, 'headers'>) => Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1])
const endOf = ({ headers }: Pick<LoggedRequest, 'headers'>) =>
  Number(/^bytes=\d+-(\d+)$/.exec(headers.range ?? '')?.[1]) + 1

/** Requests for something that was asked for before, by a request that began earlier in the object. */
function askedAgain(fixture: DownloadFixture): readonly LoggedRequest[] {
  return fixture.proxy.log.filter((request, index) =>
    fixture.proxy.log
      .slice(0, index)
      .some((other) => startOf(other) < startOf(request) && endOf(other) > startOf(request)),
  )
}

test('the tail of a connection that became slow is fetched by the others', async () => {
  const bytes = randomBytes(40 * MIB)
  const fixture = await downloadFixture(bytes)
  const slow = ({ headers }: SeenRequest) => startOf({ headers }) === 8 * MIB
  fixture.proxy.rule({ when: { test: slow }, times: 1, fault: { kind: 'limit', bytesPerSecond: 50_000 } })
  const running = fixture.begin()
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  const [first] = fixture.proxy.requests({ test: slow })
  expect(first?.responseBytes).toBeLessThan(2 * MIB)
  expect(askedAgain(fixture).length).toBeGreaterThan(0)
  expect(running.progress).toMatchObject({ movedBytes: bytes.length, confirmedBytes: bytes.length, inFlightBytes: 0 })
  expect(running.waits).toEqual([])
})

test('a connection that fell silent costs the download neither time nor tries', async () => {
  const bytes = randomBytes(40 * MIB)
  const fixture = await downloadFixture(bytes)
  fixture.proxy.rule({
    when: { test: ({ headers }) => startOf({ headers }) === 8 * MIB },
    times: 1,
    fault: { kind: 'stall', at: { responseBytes: 1_000_000 } },
  })
  const running = fixture.begin()
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(running.waits).toEqual([])
})

test('the last bytes of a slow connection are fetched twice at most, and the first to have them wins', async () => {
  const size = 64 * MIB
  const bytes = randomBytes(size)
  const fixture = await downloadFixture(bytes)
  // The last bytes of the first answer do not come.
  fixture.proxy.rule({
    when: { test: ({ headers }) => startOf({ headers }) === 0 },
    times: 1,
    fault: { kind: 'stall', at: { responseBytes: 7 * MIB + 512 * 1024 } },
  })
  // Of three or more, one that falls behind is replaced in mid-download already.
  const running = fixture.begin({ connections: 2 })
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  // Where the others take more than three seconds, it is given up sooner.
  expect(running.log.join('\n')).toMatch(
    /The last 5\d\d\d\d\d bytes of a slow connection arrived over another|replacing it with a new one/,
  )
  expect(running.progress).toMatchObject({ movedBytes: size, confirmedBytes: size, inFlightBytes: 0 })
  const copies = fixture.proxy.log.filter((request) => startOf(request) > 0 && startOf(request) < 8 * MIB)
  expect(copies.reduce((sum, request) => sum + endOf(request) - startOf(request), 0)).toBeLessThanOrEqual(size / 100)
})

test('a connection that breaks while its last bytes are being copied asks for them no second time', async () => {
  const size = 24 * MIB
  const bytes = randomBytes(size)
  const fixture = await downloadFixture(bytes)
  const { proxy } = fixture
  const isFirst = ({ headers }: SeenRequest) => startOf({ headers }) === 0
  const isOfRest = ({ headers }: SeenRequest) => startOf({ headers }) > 7 * MIB && startOf({ headers }) < 8 * MIB
  const silentFrom = 7 * MIB + 768 * 1024
  let isBroken = false
  proxy.rule({
    when: { test: isFirst },
    times: 1,
    fault: { kind: 'stall', at: { responseBytes: silentFrom }, until: proxy.seen({ test: isOfRest }) },
  })
  proxy.rule({
    when: { test: isFirst },
    times: 1,
    first: () => (isBroken = true),
    fault: { kind: 'reset', at: { responseBytes: silentFrom + 1 } },
  })
  proxy.rule({ when: { test: isOfRest }, fault: { kind: 'delay', at: 'request', delayMs: 1000 } })
  const running = fixture.begin({ connections: 2 })
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(isBroken).toBe(true)
  expect(proxy.requests({ test: isOfRest })).toHaveLength(1)
  expect(running.progress).toMatchObject({ movedBytes: size, confirmedBytes: size, inFlightBytes: 0 })
})

test('503 lowers the number of connections of the host, and the download ends well', async () => {
  const bytes = randomBytes(96 * MIB)
  const fixture = await downloadFixture(bytes)
  const clock = createSystemClock()
  const governors = createConnectionGovernors({ clock, isSaturated: () => false })
  const watch = governors.join(fixture.store.host, () => undefined)
  // The line is known to be fast.
  watch.began(clock.monotonicMs(), 1)
  watch.arrived(MIB)
  watch.uses(0, 0)
  const before = watch.limit
  fixture.proxy.rule({
    when: { test: ({ headers }) => startOf({ headers }) >= 16 * MIB },
    times: 2,
    fault: { kind: 'response', status: 503 },
  })
  const running = fixture.begin({ connections: governors })
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(running.waits).toContain('server-busy')
  watch.leave()
  expect(governors.join(fixture.store.host, () => undefined).limit).toBeLessThan(8)
  expect(before).toBe(8)
})

test('without a number, connections are as many as the host is given', async () => {
  const bytes = randomBytes(64 * MIB)
  const fixture = await downloadFixture(bytes)
  fixture.proxy.rule({ fault: { kind: 'limit', bytesPerSecond: 4_000_000 } })
  const governors = createConnectionGovernors({ clock: createSystemClock(), isSaturated: () => false })
  expect(await fixture.begin({ connections: governors }).outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(fixture.proxy.maxConcurrent).toBeGreaterThanOrEqual(8)
  expect(fixture.proxy.maxConcurrent).toBeLessThanOrEqual(32)
})
