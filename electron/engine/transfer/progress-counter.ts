/** Counts the bytes of one transfer. Signed: a retry takes back moved bytes, a damaged claim confirmed ones. */
export interface ProgressCounter {
  moved(bytes: number): void
  confirmed(bytes: number, how: 'moved' | 'found'): void
  /** Payload bytes that crossed the wire in this run, net of rewinds. */
  readonly movedBytes: number
  /** Bytes that survive a power cut. Never below 0. */
  readonly confirmedBytes: number
  /** Moved but not confirmed yet. Never below 0. */
  readonly inFlightBytes: number
}

/** Starts from zero: a run reports what it finds already there. */
export function createProgressCounter(): ProgressCounter {
  let movedBytes = 0
  let confirmedBytes = 0
  let confirmedFromMoved = 0
  return {
    moved(bytes) {
      movedBytes += bytes
    },
    confirmed(bytes, how) {
      confirmedBytes += bytes
      if (how === 'moved') confirmedFromMoved += bytes
    },
    get movedBytes() {
      return movedBytes
    },
    get confirmedBytes() {
      return Math.max(0, confirmedBytes)
    },
    get inFlightBytes() {
      return Math.max(0, movedBytes - confirmedFromMoved)
    },
  }
}
