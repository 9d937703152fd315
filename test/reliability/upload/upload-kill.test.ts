import { describe, expect, test } from 'vitest'
import type { Fault } from '../../support/fault-server/fault-rules.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'
import { createUploadDesk, PART } from '../../support/window/upload-desk.ts'
import {
  abort,
  response,
  anyPart,
  complete,
  create,
  listParts,
  listUploads,
  numberedPart,
  once,
  part,
} from './upload-case.ts'

/** Requests of an undisturbed upload, in their order. */
const LOOK = ['look', 'ask why not'] as const
const ARROWS = [...LOOK, 'list uploads', 'create', 'part', 'part', 'look', 'complete', 'verify']

/** Whether the service still gets the request that the app dies with. */
const DEATHS: Readonly<Record<string, Fault>> = {
  'before the service got it': { kind: 'reset', at: 'sent' },
  'after the service did it': { ...response(500), afterTarget: true },
}

test('an undisturbed upload asks no more than that', async () => {
  const { proxy, ...desk } = await createUploadDesk()
  const app = await desk.open()
  await app.until(await app.upload(), { status: 'completed' })
  expect(proxy.log.map(({ method }) => method)).toEqual([
    'HEAD',
    'GET',
    'GET',
    'POST',
    'PUT',
    'PUT',
    'GET',
    'POST',
    'GET',
  ])
})

describe.each(Object.entries(DEATHS))('T17: killed %s', (_, fault) => {
  test.each(ARROWS.map((arrow, index) => [arrow, index + 1] as const))(
    'with the request to %s (%i)',
    async (_arrow, at) => {
      const desk = await createUploadDesk()
      const { proxy, others, bytes } = desk
      const app = await desk.open({ connectionsPerTransfer: 1 })
      // Dead from this moment on: neither the answer nor its absence is noticed.
      let dead = (): void => undefined
      const died = new Promise<void>((resolve) => (dead = resolve))
      const die = () => app.kill().then(dead)
      const when = { test: () => proxy.log.length === at }
      const death = proxy.rule({ when, times: 1, first: die, fault })
      const id = await app.upload()
      await died
      await proxy.settled()
      const later = await desk.open()
      await later.until(id, { status: 'completed', verification: 'etag-multipart' })
      expect(death.hits).toBe(1)
      expect((await others.content())?.equals(bytes)).toBe(true)
      // One object, no stray upload, and only what was in flight is sent twice.
      expect(await others.uploadIds()).toEqual([])
      expect(proxy.requests(anyPart).length).toBeLessThanOrEqual(3)
      expect(proxy.requests(abort)).toEqual([])
    },
  )
})

describe('a part is in buffers on the way when the app is killed', () => {
  /** Parts go one at a time: the app dies with the second one, which arrives at the service when `at` says so. */
  async function killed(at: Promise<unknown>, partCount = 6) {
    const desk = await createUploadDesk((partCount - 1) * PART + 5)
    const app = await desk.open({ connectionsPerTransfer: 1, partSizeBytes: PART })
    let dead = (): void => undefined
    const died = new Promise<void>((resolve) => (dead = resolve))
    const fault = { kind: 'arrive-late', at } as const
    const late = desk.proxy.rule({ when: part, times: 1, first: () => app.kill().then(dead), fault })
    const id = await app.upload()
    await died
    return { desk, late, id }
  }

  test.each([
    ['many', 6, 5],
    ['two', 3, 3],
  ])('it is not sent again where it comes before another of %s that lack', async (_, partCount, another) => {
    let come = (): void => undefined
    const { desk, late, id } = await killed(new Promise<void>((resolve) => (come = resolve)), partCount)
    const arrived = whenHolds(() => expect(late.hits).toBe(1))
    desk.proxy.rule({
      when: numberedPart(another),
      times: 1,
      first: come,
      fault: { kind: 'stall', at: 'request', until: arrived },
    })
    const later = await desk.open({ connectionsPerTransfer: 1 })
    await later.until(id, { status: 'completed', verification: 'etag-multipart' })
    expect(desk.proxy.requests(part)).toHaveLength(1)
    expect(desk.proxy.requests(anyPart)).toHaveLength(partCount)
    expect(later.history(id)).toMatch(/Found 1 part on the server, verified against the file/)
    expect((await desk.others.content())?.equals(desk.bytes)).toBe(true)
  })

  test.each([
    ['it never comes', null],
    ['the service no longer lists parts', response(403)],
  ])('it is sent again where %s', async (_, listing) => {
    const { desk, late, id } = await killed(new Promise(() => undefined))
    const asked = desk.proxy.requests(listParts).length
    const second = { ...listParts, test: () => desk.proxy.requests(listParts).length > asked + 1 }
    const failing = listing === null ? null : desk.proxy.rule({ when: second, fault: listing })
    const later = await desk.open({ connectionsPerTransfer: 1 })
    await later.until(id, { status: 'completed', verification: 'etag-multipart' })
    expect(failing?.hits ?? 1).toBe(1)
    expect([late.hits, desk.proxy.requests(part).length]).toEqual([0, 2])
    expect((await desk.others.content())?.equals(desk.bytes)).toBe(true)
  })
})

describe('the response to create is lost', () => {
  test('the upload that it made is found and used', async () => {
    const desk = await createUploadDesk()
    desk.proxy.rule({ when: create, times: 1, fault: { kind: 'drop-response' } })
    const app = await desk.open()
    const id = await app.upload()
    await app.until(id, { status: 'completed' })
    expect(desk.proxy.requests(create)).toHaveLength(1)
    expect(app.history(id)).toMatch(/Continuing the multipart upload whose first response was lost/)
    expect(await desk.others.uploadIds()).toEqual([])
  })

  test('an upload of somebody else that was there before is not taken for it', async () => {
    const desk = await createUploadDesk()
    const theirs = await desk.others.begin()
    desk.proxy.rule({ when: create, times: 1, fault: { kind: 'reset', at: 'sent' } })
    const app = await desk.open()
    await app.until(await app.upload(), { status: 'completed' })
    expect(desk.proxy.requests(create)).toHaveLength(2)
    expect(await desk.others.uploadIds()).toEqual([theirs])
  })

  test('of several that were begun meanwhile none is touched, and that is said', async () => {
    const desk = await createUploadDesk()
    const theirs: string[] = []
    const begin = async () => void theirs.push(await desk.others.begin(), await desk.others.begin())
    desk.proxy.rule({ when: create, times: 1, first: begin, fault: { kind: 'reset', at: 'sent' } })
    const app = await desk.open()
    const id = await app.upload()
    await app.until(id, { status: 'completed' })
    expect(app.history(id)).toMatch(/have appeared that may belong to others; leaving them alone/)
    expect(await desk.others.uploadIds()).toEqual(theirs)
    expect(desk.proxy.requests(abort)).toEqual([])
  })

  test('a service that lists no uploads: another upload is begun, and a note says that one may be left over', async () => {
    const desk = await createUploadDesk()
    desk.proxy.rule({ when: listUploads, fault: response(501) })
    for (const rule of once(create, { kind: 'drop-response' })) desk.proxy.rule(rule)
    const app = await desk.open()
    const id = await app.upload()
    await app.until(id, { status: 'completed' })
    expect(app.history(id)).toMatch(/an empty one may be left behind/)
    expect(desk.proxy.requests(complete)).toHaveLength(1)
  })
})
