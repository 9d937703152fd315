/** What happened, as a hash that two equal worlds share and, when asked for, as text. */
export class Trace {
  readonly lines: string[] = []
  readonly #timeline: Timeline
  readonly #keepsLines: boolean
  #hash = 0x811c9dc5

  constructor(timeline: Timeline, keepsLines: boolean) {
    this.#timeline = timeline
    this.#keepsLines = keepsLines
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0')
  }

  note(text: string): void {
    const line = `${this.#timeline.nowMs.toFixed(3)} ${text}`
    // FNV-1a.
    for (let index = 0; index < line.length; index += 1) {
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193)
    }
    if (this.#keepsLines) this.lines.push(line)
  }
}

interface Due {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

/**
 * Virtual time. Everything that takes time in a simulated world, every answer and every byte included, is an event
 * here, so that "nothing can go on by itself" is known without waiting: the next event is due then.
 */
export class Timeline {
  nowMs = 0
  readonly #heap: Due[] = []
  #order = 0

  get isEmpty(): boolean {
    return this.#heap.length === 0
  }

  /** Events so far. */
  get count(): number {
    return this.#order
  }

  at(delayMs: number, run: () => void): void {
    this.#order += 1
    this.#push({ atMs: this.nowMs + Math.max(0, delayMs), order: this.#order, run })
  }

  /** Runs the next event and all that follows from it without time passing; false: there is none. */
  async step(): Promise<boolean> {
    const due = this.#pop()
    if (due === undefined) return false
    this.nowMs = Math.max(this.nowMs, due.atMs)
    due.run()
    await settled()
    return true
  }

  #push(due: Due): void {
    const heap = this.#heap
    let index = heap.push(due) - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above] as Due
      if (isBefore(parent, due)) break
      heap[index] = parent
      index = above
    }
    heap[index] = due
  }

  #pop(): Due | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    let index = 0
    for (;;) {
      let below = 2 * index + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Due, heap[below] as Due)) below += 1
      if (isBefore(last, heap[below] as Due)) break
      heap[index] = heap[below] as Due
      index = below
    }
    heap[index] = last
    return top
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

/** Resolves when no promise can settle any more: Node runs its ticks only once all microtasks are done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}
