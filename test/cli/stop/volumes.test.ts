import { expect, test } from 'vitest'
import { CommandError, commandErrorOf, commandErrorOfFailure } from '../../../electron/cli/command-error.ts'
import { EXIT } from '../../../electron/cli/exit-status.ts'
import { finishTransfers } from '../../../electron/cli/session/follow-transfers.ts'
import type { Session } from '../../../electron/cli/session/session.ts'
import { outcomeOfFailure } from '../../../electron/engine/retry/classify.ts'
import type { WaitState } from '../../../shared/transfer/transfer.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { transferRow, transferSnapshot } from '../../support/fakes/transfer-rows.ts'

/** A session with one download that waits, and no end of it. */
function waitingFor(wait: Pick<WaitState, 'reason' | 'lackingBytes'>): {
  readonly session: Session
  readonly advance: () => Promise<void>
} {
  const clock = createFakeClock()
  const row = transferRow({ name: 'set.bin', status: 'waiting', wait: { ...wait, retryAtMs: null, attempt: 1 } })
  const session = {
    engine: { idle: () => new Promise(() => undefined), snapshot: () => transferSnapshot([row]) },
    output: { progress: () => undefined, waiting: () => undefined },
    signal: new AbortController().signal,
    deps: { clock },
  } as unknown as Session
  return { session, advance: () => clock.advance(1000) }
}

test.each([
  [{ reason: 'disk-full' }, 'disk-full', /^Not enough space for set\.bin, or the disk takes no more files\.$/],
  [
    { reason: 'disk-full', lackingBytes: 1_204_000_000 },
    'disk-full',
    /^Not enough space for set\.bin: free up 1\.21 GB\.$/,
  ],
  [{ reason: 'target-unwritable' }, 'target-read-only', /^The disk that holds set\.bin is now read-only\.$/],
] as const)(
  'a command ends at once with 3 on a volume that takes no bytes (%o): it can go on later',
  async (wait, code, says) => {
    const { session, advance } = waitingFor(wait)
    const ends = expect(finishTransfers(session)).rejects.toMatchObject({
      code,
      exitStatus: EXIT.canContinue,
      message: expect.stringMatching(says) as string,
    })
    await advance()
    await ends
  },
)

test('a folder on a read-only volume ends in the same way, with the same words', () => {
  const failure = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
  const outcome = outcomeOfFailure(new AbortController().signal, failure)
  const error = outcome.kind === 'failed' ? outcome.error : null
  expect(error).toMatchObject({ code: 'target-read-only' })
  if (error === null) return
  const subject = { name: '/mnt/folder', bucket: '', localPath: '/mnt/folder', host: null, isFolder: true }
  expect(commandErrorOf(error, subject)).toMatchObject({
    exitStatus: EXIT.canContinue,
    message: 'The disk that holds /mnt/folder is now read-only.',
  })
})

test('a command waits for a server that is busy', async () => {
  const { session, advance } = waitingFor({ reason: 'server-busy' })
  let isOver = false
  void finishTransfers(session).finally(() => (isOver = true))
  await advance()
  expect(isOver).toBe(false)
})

test.each([
  ['ENOSPC', 'disk-full', EXIT.canContinue],
  ['EROFS', 'target-read-only', EXIT.canContinue],
] as const)('the same outside a transfer (%s)', (errno, code, exitStatus) => {
  const failure = Object.assign(new Error(`${errno}: no`), { code: errno })
  const error = commandErrorOfFailure(failure, new AbortController().signal)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ code, exitStatus })
})
