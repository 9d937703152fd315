import { describe, expect, test } from 'vitest'
import type { ConnectionGovernors } from '../../../electron/engine/core/connections.ts'
import type { BodyToSend } from '../../../electron/engine/core/upload-line.ts'
import { createUploadLine } from '../../../electron/engine/line/upload/create-upload-line.ts'
import { lostResponse } from '../../support/fakes/memory-store.ts'
import { bySmallParts, expectStored, failed, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

const giveUpAfterMs = 60_000

/**
 * An upload that is given up after a minute without progress. Its first `losses` tries take more than that, though half
 * of their bytes go in the first of it, and then lose their connection.
 */
async function overSlowLine(sizeBytes: number, losses: number) {
  const upload = await createUploadHarness(sizeBytes)
  const { clock, store } = upload
  const line = createUploadLine({ clock: upload.deps.clock, isSaturated: () => false, fixedWidth: 1 })
  const enter = line.enter.bind(line)
  let sending: BodyToSend | null = null
  line.enter = (body, signal) => enter((sending = body), signal)
  let tries = 0
  store.before = async ({ operation }) => {
    if (operation !== 'uploadPart' && operation !== 'putObject') return
    tries += 1
    if (tries > losses) return
    await clock.advance(50_000)
    sending?.onTaken(sizeBytes / 4)
    await clock.advance(20_000)
    throw lostResponse()
  }
  const connections = { uploadLine: () => line } as unknown as ConnectionGovernors
  return { upload, outcome: () => upload.run({ ...bySmallParts, connections, giveUpAfterMs }) }
}

describe.each([
  ['of parts', 2 * PART],
  ['in one piece', PART],
])('an upload %s over a slow line', (_, sizeBytes) => {
  test('is not given up where bytes moved a moment ago', async () => {
    const { upload, outcome } = await overSlowLine(sizeBytes, 1)
    expect(await outcome()).toMatchObject({ kind: 'completed' })
    expectStored(upload)
  })

  test('is given up where it never gets any further', async () => {
    const { outcome } = await overSlowLine(sizeBytes, Infinity)
    expect(await outcome()).toEqual(failed('gave-up-waiting'))
  })
})

test('an upload whose file was being hashed a moment ago is not given up', async () => {
  const upload = await createUploadHarness(2 * PART)
  const { store, deps, clock } = upload
  store.capabilities = { ...store.capabilities, etagIsMd5: false }
  const hasher = {
    ...deps.hasher,
    async md5(...asked: Parameters<typeof deps.hasher.md5>) {
      await clock.advance(2 * giveUpAfterMs)
      return deps.hasher.md5(...asked)
    },
  }
  let isLost = false
  store.before = ({ operation }) => {
    if (operation !== 'uploadPart' || isLost) return
    isLost = true
    throw lostResponse()
  }
  const outcome = await upload.run({ ...bySmallParts, connections: 1, giveUpAfterMs, deps: { ...deps, hasher } })
  expect(outcome).toMatchObject({ kind: 'completed' })
})
