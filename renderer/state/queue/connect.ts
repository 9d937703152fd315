import type { TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'

/** Where the queue comes from. */
export interface QueueSource {
  snapshot(): Promise<TransferSnapshot>
  /** Returns a function that unsubscribes. */
  onDelta(listener: (delta: TransferDelta) => void): () => void
  /** Calls back later, before a failed snapshot is asked for again. */
  later(callback: () => void): void
}

/** Where it goes. */
export interface QueueSink {
  reset(snapshot: TransferSnapshot): void
  apply(delta: TransferDelta): void
}

/**
 * Keeps `sink` equal to main's queue: subscribes first, then takes a snapshot, then applies the deltas that came
 * meanwhile and are newer. A gap in `seq` takes a new snapshot, and so does a first look, which is only the top of the list. Returns a function that stops it.
 */
export function connectQueue(source: QueueSource, sink: QueueSink): () => void {
  let seq = 0
  /** Deltas that wait for the snapshot; null while in step. */
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
