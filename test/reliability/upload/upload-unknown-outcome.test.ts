import { randomBytes } from 'node:crypto'
import { utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../support/fault-server/fault-rules.ts'
import { createUploadDesk, KEY, PART, type OpenUploadDesk, type UploadDesk } from '../../support/window/upload-desk.ts'

/** What a person does while it is not known whether the upload made its object. */
const complete = { method: 'POST', query: { uploadId: true } }
const aborts = { method: 'DELETE' }
const FOREIGN = randomBytes(50)
const reset: Fault = { kind: 'reset', at: 'sent' }

interface Doubt {
  readonly desk: UploadDesk
  readonly app: OpenUploadDesk
  readonly id: string
  /** The service can be reached again. */
  readonly back: () => void
}

/** An upload whose Complete was lost, and nothing that is asked since is answered. */
async function doubt(happen: (desk: UploadDesk) => unknown): Promise<Doubt> {
  const desk = await createUploadDesk()
  const { proxy } = desk
  const silence: { remove(): void }[] = []
  const begin = async () => {
    await happen(desk)
    silence.push(proxy.rule({ fault: { kind: 'stall', at: 'request' } }))
  }
  proxy.rule({ when: complete, times: 1, first: begin, fault: reset })
  const app = await desk.open()
  const id = await app.upload()
  await proxy.seen(complete)
  await proxy.seen({ test: ({ method }) => method === 'HEAD' && silence.length > 0 })
  const back = () => {
    for (const rule of silence) rule.remove()
    app.dropConnections()
  }
  return { desk, app, id, back }
}

describe('cancel', () => {
  test('T44: after the service had completed it: too late is said, and nothing is aborted', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    const canceled = app.engine.cancel([id])
    back()
    await canceled
    expect(app.row(id)).toMatchObject({ status: 'completed', verification: 'etag-multipart' })
    expect(desk.proxy.requests(aborts)).toEqual([])
  })

  test('T44: before: it is aborted, but only after looking for 20 s', async () => {
    const { desk, app, id, back } = await doubt(() => undefined)
    const startMs = desk.clock.monotonicMs()
    let lookedMs = 0
    const noteTime = () => (lookedMs = desk.clock.monotonicMs() - startMs)
    desk.proxy.rule({ when: aborts, first: noteTime, fault: { kind: 'delay', at: 'request', delayMs: 0 } })
    const canceled = app.engine.cancel([id])
    back()
    await canceled
    await app.engine.idle()
    expect(lookedMs).toBeGreaterThanOrEqual(20_000)
    expect([app.row(id).status, await desk.others.uploadIds(), await desk.others.content()]).toEqual([
      'canceled',
      [],
      null,
    ])
  })

  test.each([
    ['and quit', true],
    ['and killed', false],
  ])('%s before it is found out: the next start goes on finding out, and says what is true', async (_, isQuit) => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    const canceled = app.engine.cancel([id])
    if (isQuit) await Promise.all([app.engine.close(), canceled])
    else await app.kill()
    back()
    const later = await desk.open()
    const row = await later.until(id, { status: expect.stringMatching(/completed|canceled/) as unknown })
    expect(row).toMatchObject({ status: 'completed', verification: 'etag-multipart' })
    expect(desk.proxy.requests(aborts)).toEqual([])
  })

  test('and quit, of an upload that was not completed: it is not continued, but discarded', async () => {
    const { desk, app, id, back } = await doubt(() => undefined)
    const canceled = app.engine.cancel([id])
    await Promise.all([app.engine.close(), canceled])
    back()
    const later = await desk.open()
    await later.until(id, { status: 'canceled' })
    await later.engine.idle()
    expect(desk.proxy.requests(complete)).toHaveLength(1)
    expect([await desk.others.uploadIds(), await desk.others.content()]).toEqual([[], null])
  })
})

describe('start over', () => {
  test('of an upload that the service completed meanwhile: it is done, and sent once', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    const over = app.engine.startOver([id])
    back()
    await over
    await app.until(id, { status: 'completed' })
    expect(desk.proxy.requests({ method: 'PUT' })).toHaveLength(2)
    expect(desk.proxy.requests(aborts)).toEqual([])
  })

  test('of a paused one with a doubt: found out before anything is discarded', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    await app.engine.pause([id])
    back()
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed' })
    expect(desk.proxy.requests({ method: 'PUT' })).toHaveLength(2)
    expect(desk.proxy.requests(aborts)).toEqual([])
  })

  test('with a file that changed since: the old version is looked for first, then the new one is sent', async () => {
    const { desk, app, id, back } = await doubt(() => undefined)
    const { proxy, others } = desk
    await app.engine.pause([id])
    await utimes(desk.sourcePath, 1, 1)
    back()
    await app.engine.resume([id])
    await app.until(id, { status: 'failed', error: { code: 'source-changed' } })
    await others.complete()
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed' })
    expect(proxy.requests({ method: 'PUT' })).toHaveLength(4)
    expect(proxy.requests(aborts)).toEqual([])
    expect(await others.uploadIds()).toEqual([])
  })
})

describe('start over, of a file that has become another one', () => {
  const other = randomBytes(PART + 9)
  const expectOther = async ({ others, proxy }: UploadDesk) => {
    expect((await others.content())?.equals(other)).toBe(true)
    expect([await others.uploadIds(), proxy.requests(aborts)]).toEqual([[], []])
  }

  test('after its upload was finished: the object is replaced', async () => {
    const desk = await createUploadDesk()
    const app = await desk.open()
    const id = await app.upload()
    await app.until(id, { status: 'completed' })
    await writeFile(desk.sourcePath, other)
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed' })
    await expectOther(desk)
  })

  test.each(['is paused', 'was killed'])('while an upload %s that the service has completed meanwhile', async (how) => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    if (how === 'is paused') await app.engine.pause([id])
    else await app.kill()
    await writeFile(desk.sourcePath, other)
    const later = how === 'is paused' ? app : await desk.open()
    const over = later.engine.startOver([id])
    back()
    await over
    await later.until(id, { status: 'completed' })
    await expectOther(desk)
  })
})

describe('another client', () => {
  test('writes the key while our upload is open: a question with both facts, which touches nothing', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.write(FOREIGN))
    back()
    const row = await app.until(id, { status: 'failed', error: { code: 'conflict-on-server' } })
    expect(row.error?.dispute?.found).toMatchObject({ sizeBytes: FOREIGN.length })
    expect(desk.proxy.requests(complete)).toHaveLength(1)
    await app.engine.remove([id])
    await app.engine.idle()
    // What they wrote stays, and what we sent is not left behind.
    expect(await desk.others.content()).toEqual(FOREIGN)
    expect(await desk.others.uploadIds()).toEqual([])
  })

  test('wrote it, and the service still completes ours while the person thinks: that is found', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.write(FOREIGN))
    back()
    await app.until(id, { status: 'failed', error: { code: 'conflict-on-server' } })
    await desk.others.complete()
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed' })
    expect(desk.proxy.requests({ method: 'PUT' })).toHaveLength(2)
    expect(desk.proxy.requests(aborts)).toEqual([])
  })

  test('replaces the object just after our Complete was answered: said, not called done', async () => {
    const desk = await createUploadDesk()
    const write = () => desk.others.write(FOREIGN)
    const app = await desk.open()
    const completed = () =>
      desk.proxy.rule({ when: {}, times: 1, first: write, fault: { kind: 'delay', at: 'request', delayMs: 0 } })
    desk.proxy.rule({ when: complete, first: completed, fault: { kind: 'delay', at: 'response', delayMs: 0 } })
    const id = await app.upload()
    const row = await app.until(id, { status: 'failed' })
    expect(row.error).toMatchObject({
      code: 'conflict-on-server',
      dispute: { found: { sizeBytes: FOREIGN.length }, expected: { sizeBytes: desk.bytes.length } },
    })
  })
})

describe('a service that doesn’t let us look', () => {
  test('and has no such upload any more: a person is asked, and nothing is aborted', async () => {
    const { desk, app, id, back } = await doubt(({ others }) => others.complete())
    const hidden = desk.proxy.rule({
      when: { method: 'GET', path: KEY, query: { uploadId: false } },
      fault: { kind: 'response', status: 403 },
    })
    back()
    await app.until(id, { status: 'failed', error: { code: 'outcome-unknown' } })
    expect(hidden.hits).toBeGreaterThan(0)
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed' })
    expect(desk.proxy.requests({ method: 'PUT' })).toHaveLength(4)
    expect(desk.proxy.requests(aborts)).toEqual([])
  })
})
