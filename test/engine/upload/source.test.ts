import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import { UPLOAD_UNBOUND } from '../../../electron/engine/core/new-records.ts'
import type { UploadRecord } from '../../../electron/engine/core/records.ts'
import {
  PART,
  bySmallParts,
  completed,
  failComplete,
  failed,
  expectStored,
  paused,
} from '../../support/worlds/upload-expectations.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import { isWatch } from '../../support/worlds/real-time.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

describe('the source', () => {
  test.each([
    ['before anything is known of it', 0],
    ['while it is uploaded', 1],
  ])('a file on a drive that hangs %s holds up no pause', async (_, answered) => {
    const upload = await createUploadHarness(2 * PART)
    const stop = new AbortController()
    let looks = 0
    const fileSystem = {
      ...upload.deps.fileSystem,
      stat: (...args: Parameters<typeof stat>) => {
        looks += 1
        if (looks <= answered) return stat(...args)
        stop.abort('pause')
        return new Promise(() => undefined)
      },
    } as unknown as EngineDeps['fileSystem']
    const deps = { ...upload.deps, fileSystem }
    expect(await upload.run({ ...bySmallParts, deps, signal: stop.signal })).toEqual({ kind: 'stopped' })
    expect(looks).toBe(answered + 1)
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('of a drive that does not answer the upload says that it waits for it, and goes on when it does', async () => {
    const upload = await createUploadHarness(2 * PART)
    let looks = 0
    const fileSystem = {
      ...upload.deps.fileSystem,
      async stat(...args: Parameters<typeof stat>) {
        looks += 1
        if (looks === 2) await expect.poll(() => upload.told.waits, { timeout: 20_000 }).toEqual(['drive-unresponsive'])
        return await stat(...args)
      },
    } as unknown as EngineDeps['fileSystem']
    const deps = { ...upload.deps, fileSystem }
    expect(await upload.run({ ...bySmallParts, deps })).toEqual(completed('etag-multipart'))
    expect(upload.told.waits).toEqual(['drive-unresponsive'])
    expectStored(upload)
  })

  test('of a drive that does not answer while a file is hashed before it is sent, it says so, too', async () => {
    const upload = await createUploadHarness(1000)
    const { hasher } = upload.deps
    const md5: typeof hasher.md5 = async (...range) => {
      await expect.poll(() => upload.told.waits, { timeout: 20_000 }).toEqual(['drive-unresponsive'])
      return await hasher.md5(...range)
    }
    const deps = { ...upload.deps, hasher: { ...hasher, md5 } }
    expect(await upload.run({ deps })).toMatchObject({ kind: 'completed' })
    expect(upload.told.waits).toEqual(['drive-unresponsive'])
    expectStored(upload)
  })

  test('a file that changes between parts is never completed', async () => {
    const upload = await createUploadHarness(4 * PART)
    upload.store.after = async ({ partNumber }) => {
      if (partNumber === 2) await utimes(upload.sourcePath, 1, 1)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.objects.size).toBe(0)
  })

  test('a file that changes when all is sent is noticed before anything says that it is to be completed', async () => {
    const upload = await createUploadHarness(2 * PART)
    const { checkpoints } = upload
    const putParts = checkpoints.putParts.bind(checkpoints)
    checkpoints.putParts = async (id, parts) => {
      await putParts(id, parts)
      if (parts.some(({ partNumber }) => partNumber === 2)) await utimes(upload.sourcePath, 1, 1)
    }
    let intents = 0
    const update = checkpoints.update.bind(checkpoints)
    checkpoints.update = (id, changes) => {
      if ('intent' in changes && changes.intent !== null) intents += 1
      return update(id, changes)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect([intents, upload.store.count('completeMultipartUpload')]).toEqual([0, 0])
  })

  test('a file that changes right before Complete is not completed', async () => {
    const upload = await createUploadHarness(2 * PART)
    const { checkpoints } = upload
    const update = checkpoints.update.bind(checkpoints)
    checkpoints.update = async (id, changes) => {
      await update(id, changes)
      if ('intent' in changes && changes.intent != null) await utimes(upload.sourcePath, 1, 1)
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })

  test('a file that changes while the service completes it is not said to be uploaded', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.after = async ({ operation }) => {
      if (operation === 'completeMultipartUpload') await overwrite(upload.sourcePath, 7)
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('source-changed'))
    // What is there is the old content, which the new one may replace.
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
    expect(upload.record()).toMatchObject({ uploadId: null, intent: null, onConflict: 'replace' })
  })

  test('a file that becomes shorter while it is read stops the upload', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.store.before = async ({ partNumber }) => {
      if (partNumber === 3) await truncate(upload.sourcePath, 2 * PART + 1)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })

  test('a drive that is gone is waited for; back again the upload goes on with what is missing', async () => {
    const upload = await paused(3, 2)
    const drive = dirname(upload.sourcePath)
    await rename(drive, `${drive}.away`)
    upload.store.calls.length = 0
    onWait(upload, () => rename(`${drive}.away`, drive))
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.told.waits).toEqual(['source-missing'])
    expect(upload.store.partsSent()).toEqual([3])
    expectStored(upload)
  })

  test.each([
    ['unchanged: it goes on', false, completed('etag-multipart')],
    ['with another file: it is not uploaded', true, failed('source-changed')],
  ])('a drive that goes away between two parts is waited for. Back %s', async (_, isOther, outcome) => {
    const upload = await createUploadHarness(3 * PART)
    const drive = dirname(upload.sourcePath)
    upload.store.after = async ({ partNumber }) => {
      if (partNumber === 1) await rename(drive, `${drive}.away`)
    }
    onWait(upload, async () => {
      await rename(`${drive}.away`, drive)
      if (isOther) await utimes(upload.sourcePath, 1, 1)
      upload.store.after = () => undefined
    })
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(outcome)
    expect(upload.told.waits).toEqual(['source-missing'])
    expect(upload.store.objects.size).toBe(isOther ? 0 : 1)
    expect(upload.store.partsSent()).toEqual(isOther ? [1] : [1, 2, 3])
  })

  test('a file that was never there is said to be missing at once, in one line', async () => {
    const upload = await createUploadHarness(1)
    await rm(upload.sourcePath)
    const detail = expect.stringMatching(/^ENOENT: .*$/) as unknown
    expect(await upload.run()).toMatchObject({ kind: 'failed', error: { code: 'source-missing', detail } })
  })

  test('another file with the same size and time in its place is noticed by its bytes', async () => {
    const upload = await paused(3, 2)
    await rm(upload.sourcePath)
    await writeFile(upload.sourcePath, randomBytes(3 * PART))
    const { source } = upload.record()
    const modified = Number(BigInt(source?.modifiedNs ?? 0) / 1_000_000n) / 1000
    await utimes(upload.sourcePath, modified, modified)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })

  test('moved away and back within a run, it is proven to be the same, and no part is sent twice', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.store.after = async ({ partNumber }) => {
      if (partNumber === 2) await moveAndBack(upload.sourcePath)
      upload.store.after = partNumber === 2 ? () => undefined : upload.store.after
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([1, 2, 3])
    expect(upload.store.count('createMultipartUpload')).toBe(1)
    expect(upload.told).toMatchObject({ confirmed: 3 * PART })
    expectStored(upload)
  })

  test('that is moved all the time is given up some time', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.after = ({ operation }) => {
      return operation === 'uploadPart' || operation === 'listParts' ? moveAndBack(upload.sourcePath) : undefined
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect(upload.store.objects.size).toBe(0)
  })

  test('a folder can’t be uploaded', async () => {
    const upload = await createUploadHarness(1)
    await upload.checkpoints.update(upload.record().id, { sourcePath: '/' })
    expect(await upload.run()).toEqual(failed('source-unreadable'))
  })
})

describe('a drive that goes away at the end is waited for', () => {
  test.each([
    ['right before Complete', 2 * PART, onIntent, 'completeMultipartUpload', 1],
    ['between two tries of Complete', 2 * PART, atLostResponse, 'completeMultipartUpload', 2],
    ['while a single file is hashed', 1000, onPlan, 'putObject', 1],
    ['right before a single file is sent', 1000, onIntent, 'putObject', 1],
    ['while a single file is sent', 1000, atRequest, 'putObject', 2],
    ['when the answer to a single file comes', 1000, atResponse, 'putObject', 1],
  ] as const)('%s', async (_, sizeBytes, when, operation, times) => {
    const upload = await createUploadHarness(sizeBytes)
    await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
    const drive = dirname(upload.sourcePath)
    when(upload, () => rename(drive, `${drive}.away`))
    onWait(upload, () => rename(`${drive}.away`, drive))
    expect(await upload.run(bySmallParts)).toEqual(completed(sizeBytes > PART ? 'etag-multipart' : 'etag-md5'))
    expect(upload.told.waits.filter((reason) => reason === 'source-missing')).toHaveLength(1)
    expect(upload.store.count(operation)).toBe(times)
    expect(upload.store.partsSent()).toHaveLength(sizeBytes > PART ? 2 : 0)
    expect(upload.told.moved).toBe(sizeBytes)
    expectStored(upload)
  })

  test.each([
    ['before Complete', 2 * PART, onIntent],
    ['while a single file is sent', 1000, atRequest],
  ] as const)('%s; back with another file, that one is not uploaded', async (_, sizeBytes, when) => {
    const upload = await createUploadHarness(sizeBytes)
    const drive = dirname(upload.sourcePath)
    when(upload, () => rename(drive, `${drive}.away`))
    onWait(upload, async () => {
      await rename(`${drive}.away`, drive)
      await utimes(upload.sourcePath, 1, 1)
    })
    expect(await upload.run(bySmallParts)).toEqual(failed('source-changed'))
    expect(upload.store.objects.size).toBe(0)
    expect(upload.record().intent).toBeNull()
  })

  test.each([
    ['before Complete', 2 * PART, onIntent],
    ['while a single file is sent', 1000, atRequest],
  ] as const)('%s; what came to the key meanwhile and is to stay does', async (_, sizeBytes, when) => {
    const upload = await createUploadHarness(sizeBytes)
    await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
    const drive = dirname(upload.sourcePath)
    when(upload, () => rename(drive, `${drive}.away`))
    onWait(upload, async () => {
      await rename(`${drive}.away`, drive)
      upload.store.place(upload.key, Buffer.from('another'))
    })
    expect(await upload.run(bySmallParts)).toEqual(failed('conflict-on-server'))
    expect(upload.store.objects.get(upload.key)?.bytes.toString()).toBe('another')
  })

  test('in a later run, too, what came to the key meanwhile and is to stay does', async () => {
    const upload = await createUploadHarness(2 * PART)
    await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
    const drive = dirname(upload.sourcePath)
    const quit = new AbortController()
    atLostResponse(upload, () => Promise.resolve(quit.abort('close')))
    expect(await upload.run({ ...bySmallParts, signal: quit.signal })).toEqual({ kind: 'stopped' })
    await rename(drive, `${drive}.away`)
    onWait(upload, async () => {
      await rename(`${drive}.away`, drive)
      upload.store.place(upload.key, Buffer.from('another'))
    })
    expect(await upload.run(bySmallParts)).toEqual(failed('conflict-on-server'))
    expect(upload.told.waits).toEqual(['source-missing'])
    expect(upload.store.objects.get(upload.key)?.bytes.toString()).toBe('another')
  })

  test('a pause ends the wait, and the next run goes on', async () => {
    const upload = await createUploadHarness(2 * PART)
    const drive = dirname(upload.sourcePath)
    const pause = new AbortController()
    onIntent(upload, () => rename(drive, `${drive}.away`))
    onWait(upload, () => Promise.resolve(pause.abort('pause')))
    expect(await upload.run({ ...bySmallParts, signal: pause.signal })).toEqual({ kind: 'stopped' })
    await rename(`${drive}.away`, drive)
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toHaveLength(2)
    expectStored(upload)
  })
})

describe('a file that changed, to go on with', () => {
  test.each([
    ['one part has other bytes: it alone is sent again', 4, (path: string) => overwrite(path, PART + 7), [2, 4]],
    ['it grew: the rest is sent', 4, (path: string) => truncate(path, 5 * PART + 1), [4, 5, 6]],
    ['it shrank: what is too much is left out', 5, (path: string) => truncate(path, 2 * PART), []],
    ['it shrank within a part: that one is sent anew', 4, (path: string) => truncate(path, 2 * PART + 5), [3]],
    ['nothing is left of it: one request for an empty object', 4, (path: string) => truncate(path, 0), []],
  ])('%s', async (_, partCount, change, sent) => {
    const upload = await paused(partCount, 3)
    await change(upload.sourcePath)
    expect(await upload.run()).toEqual(failed('source-changed'))
    await upload.checkpoints.update(upload.record().id, UPLOAD_UNBOUND)
    upload.store.calls.length = 0
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
    expect([...upload.store.partsSent()].sort()).toEqual(sent)
    expect(upload.store.objects.get(upload.key)?.bytes.equals(await readFile(upload.sourcePath))).toBe(true)
    // The queue of the engine aborts what was given up.
    expect([...upload.store.uploads.keys()]).toEqual(upload.abandoned.map(({ uploadId }) => uploadId))
  })
})

describe('a file that changed after it was uploaded', () => {
  test('is uploaded anew, and the object that it made before is not taken for the new one', async () => {
    const upload = await createUploadHarness(2 * PART)
    // ETags of several parts prove nothing there: the token has to.
    upload.store.capabilities = { ...upload.store.capabilities, metadata: true, multipartEtagIsMd5: false }
    await uploadAndChange(upload)
    failComplete(upload, lostResponse(), 'before')
    expect(await upload.run(bySmallParts)).toMatchObject({ kind: 'completed' })
    await expectContent(upload)
    expect(upload.store.count('completeMultipartUpload')).toBe(3)
  })

  test('is sent whole where the service does not tell which parts it has', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw refusal('AccessDenied', 403)
    }
    await uploadAndChange(upload)
    expect(await upload.run(bySmallParts)).toMatchObject({ kind: 'completed' })
    await expectContent(upload)
    expect(upload.store.partsSent()).toEqual([1, 2, 1, 2])
  })
})

async function uploadAndChange(upload: UploadHarness): Promise<void> {
  upload.store.after = async ({ operation }) => {
    if (operation === 'completeMultipartUpload') await overwrite(upload.sourcePath, 7)
  }
  expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
  upload.store.after = () => undefined
}

/** The object has the bytes that the file has now, and nothing of an upload is left. */
async function expectContent({ store, key, sourcePath }: UploadHarness): Promise<void> {
  expect(store.objects.get(key)?.bytes.equals(await readFile(sourcePath))).toBe(true)
  expect(store.uploads.size).toBe(0)
}

async function moveAndBack(path: string): Promise<void> {
  await rename(path, `${path}.away`)
  await rename(`${path}.away`, path)
}

async function overwrite(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(randomBytes(9), 0, 9, position)
  await file.close()
}

/** Does `then` once, when it is durable that the object is to be made. */
function onIntent(upload: UploadHarness, then: () => Promise<void>): void {
  onUpdate(upload, 'intent', then)
}

/** Does `then` once, when the file is bound and its plan is durable. */
function onPlan(upload: UploadHarness, then: () => Promise<void>): void {
  onUpdate(upload, 'plan', then)
}

function onUpdate({ checkpoints }: UploadHarness, member: 'intent' | 'plan', then: () => Promise<void>): void {
  const update = checkpoints.update.bind(checkpoints)
  checkpoints.update = async (id, changes) => {
    await update(id, changes)
    if ((changes as Partial<UploadRecord>)[member] == null) return
    checkpoints.update = update
    await then()
  }
}

/** Does `then` once, before the service gets the body of a single file. */
function atRequest(upload: UploadHarness, then: () => Promise<void>): void {
  onceAt(upload, 'before', 'putObject', then)
}

/** Does `then` once, when the service has made the object of a single file. */
function atResponse(upload: UploadHarness, then: () => Promise<void>): void {
  onceAt(upload, 'after', 'putObject', then)
}

/** Does `then` once, when the connection of a Complete is lost before the service has the request. */
function atLostResponse(upload: UploadHarness, then: () => Promise<void>): void {
  onceAt(upload, 'before', 'completeMultipartUpload', async () => {
    await then()
    throw lostResponse()
  })
}

/** Does `then` at the first request for an operation: before the service has it, or after it has answered. */
function onceAt(
  { store }: UploadHarness,
  when: 'before' | 'after',
  of: 'putObject' | 'completeMultipartUpload',
  then: () => Promise<void>,
): void {
  store[when] = async ({ operation }) => {
    if (operation !== of) return
    store[when] = () => undefined
    await then()
  }
}

/** Does `then` when the run waits for its file for the first time. */
function onWait(upload: UploadHarness, then: () => Promise<void>): void {
  const { clock } = upload.deps
  const sleep = clock.sleep.bind(clock)
  let waits = 0
  clock.sleep = async (delayMs, signal) => {
    if (!isWatch(delayMs) && upload.told.waits.at(-1) === 'source-missing') waits += 1
    if (waits === 1 && !isWatch(delayMs)) await then()
    await sleep(delayMs, signal)
  }
}
