import type { TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'

/** The source of the queue. */
export interface QueueSource {
  snapshot(): Promise<TransferSnapshot>
  /** Returns a function that unsubscribes. */
  onDelta(listener: (delta: TransferDelta) => void): () => void
  /** Calls back after a delay, to request a failed snapshot again. */
  later(callback: () => void): void
}

/** The receiver of the queue. */
export interface QueueSink {
  reset(snapshot: TransferSnapshot): void
  apply(delta: TransferDelta): void
}

/**
 * Keeps `sink` equal to main's queue: subscribes first, then takes a snapshot, then applies the newer deltas that came
 * meanwhile. Takes a new snapshot after a gap in `seq`, and after a first look, which is only the top of the list.
 * Returns a function that stops this.
 */
export function connectQueue(source: QueueSource, sink: QueueSink): () => void {
  let seq = 0
  /** Deltas that wait for the snapshot; null while in sync. */
  let waiting: TransferDelta[] | null = null
  let stopped = false

  function receive(delta: TransferDelta): void {
    if (waiting !== null) {
      waiting.push(delta)
    } else if (delta.seq === seq + 1) {
      seq = delta.seq
      sink.apply(delta)
    } else if (delta.seq > seq) {
      synchronize([delta])
    }
  }

  function synchronize(early: TransferDelta[]): void {
    waiting = early
    source.snapshot().then(catchUp, () => {
      source.later(() => {
        if (!stopped) synchronize(waiting ?? [])
      })
    })
  }

  function catchUp(snapshot: TransferSnapshot): void {
    if (stopped) return
    const early = waiting ?? []
    waiting = null
    seq = snapshot.seq
    sink.reset(snapshot)
    if (snapshot.isFirstLook === true) return synchronize(early)
    for (const delta of early) receive(delta)
  }

  const unsubscribe = source.onDelta(receive)
  synchronize([])
  return () => {
    stopped = true
    unsubscribe()
  }
}
