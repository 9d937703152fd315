import { expect, test } from 'vitest'
import { connectQueue, type QueueSource } from '../../../../renderer/state/queue/connect.ts'
import type { TransferDelta, TransferSnapshot } from '../../../../shared/transfer/transfer-delta.ts'
import { noTotals } from '../../rows.ts'

const delta = (seq: number): TransferDelta => ({ seq, added: [], patched: [], removed: [], totals: noTotals })
const snapshot = (seq: number): TransferSnapshot => ({ seq, rows: [], totals: noTotals })

/** A main process whose answers a test gives by hand, and a log of what reached the store. */
function rig() {
  const log: string[] = []
  const answers: PromiseWithResolvers<TransferSnapshot>[] = []
  const postponed: (() => void)[] = []
  let listener: ((delta: TransferDelta) => void) | null = null
  const source: QueueSource = {
    snapshot: () => {
      log.push('ask')
      const answer = withResolvers<TransferSnapshot>()
      answers.push(answer)
      return answer.promise
    },
    onDelta: (next) => {
      log.push('subscribe')
      listener = next
      return () => {
        listener = null
      }
    },
    later: (callback) => postponed.push(callback),
  }
  const stop = connectQueue(source, {
    reset: ({ seq }) => log.push(`reset ${String(seq)}`),
    apply: ({ seq }) => log.push(`apply ${String(seq)}`),
  })
  return {
    log,
    stop,
    postponed,
    send: (...seqs: number[]) => {
      for (const seq of seqs) listener?.(delta(seq))
    },
    answer: async (seq: number, look: Pick<TransferSnapshot, 'isFirstLook'> = {}) => {
      answers.shift()?.resolve({ ...snapshot(seq), ...look })
      await settled()
    },
    refuse: async () => {
      answers.shift()?.reject(new Error('no'))
      await settled()
    },
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  const holder: Partial<{ resolve: (value: T) => void; reject: (error: Error) => void }> = {}
  const promise = new Promise<T>((resolve, reject) => Object.assign(holder, { resolve, reject }))
  return { promise, resolve: (value) => holder.resolve?.(value), reject: (error) => holder.reject?.(error) }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('subscribes before it asks, and drops deltas that the snapshot has already', async () => {
  const { log, send, answer } = rig()
  send(4, 5, 6)
  await answer(5)
  send(7)
  expect(log).toEqual(['subscribe', 'ask', 'reset 5', 'apply 6', 'apply 7'])
})

test('a gap takes a new snapshot and keeps what came meanwhile', async () => {
  const { log, send, answer } = rig()
  await answer(1)
  send(2, 4, 5)
  await answer(4)
  expect(log.slice(2)).toEqual(['reset 1', 'apply 2', 'ask', 'reset 4', 'apply 5'])
})

test('a gap among the deltas that waited takes one new snapshot', async () => {
  const { log, send, answer } = rig()
  send(7, 8)
  await answer(5)
  await answer(7)
  expect(log).toEqual(['subscribe', 'ask', 'reset 5', 'ask', 'reset 7', 'apply 8'])
})

test('a repeated delta is applied once', async () => {
  const { log, send, answer } = rig()
  await answer(1)
  send(2, 2, 1)
  expect(log.slice(2)).toEqual(['reset 1', 'apply 2'])
})

test('a refused snapshot is asked for again later', async () => {
  const { log, send, answer, refuse, postponed } = rig()
  send(3)
  await refuse()
  postponed.shift()?.()
  await answer(2)
  expect(log).toEqual(['subscribe', 'ask', 'ask', 'reset 2', 'apply 3'])
})

test('nothing arrives after it was stopped', async () => {
  const { log, stop, send, answer } = rig()
  stop()
  send(1)
  await answer(1)
  expect(log).toEqual(['subscribe', 'ask'])
})

test('shows a first look at a long list, and asks for the list at once', async () => {
  const { log, send, answer } = rig()
  await answer(0, { isFirstLook: true })
  expect(log).toEqual(['subscribe', 'ask', 'reset 0', 'ask'])
  send(1, 2)
  await answer(1)
  expect(log.slice(4)).toEqual(['reset 1', 'apply 2'])
})
