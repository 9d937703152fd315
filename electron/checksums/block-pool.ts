/** Blocks that share one piece of memory, which stays allocated as long as any of them does. */
interface Group {
  readonly size: number
  readonly sizeBytes: number
  readonly spare: Uint8Array[]
}

/**
 * Lends blocks. One block keeps alive the memory of all blocks made with it, so blocks are taken from groups that are
 * already in use, and only whole groups are let go.
 */
export class BlockPool {
  readonly #allocate: () => readonly Uint8Array[]
  readonly #groups = new WeakMap<ArrayBufferLike, Group>()
  /** Groups that have a block to lend. */
  readonly #spare = new Set<Group>()

  /** @param allocate makes some blocks, together or each by itself. */
  constructor(allocate: () => readonly Uint8Array[]) {
    this.#allocate = allocate
  }

  /** Bytes held by groups of which no block is in use. */
  get idleBytes(): number {
    return this.#idle.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }

  take(): Uint8Array {
    if (this.#spare.size === 0) this.#add(this.#allocate())
    const spare = [...this.#spare]
    const group = (spare.find((each) => !isIdle(each)) ?? spare[0]) as Group
    const block = group.spare.pop() as Uint8Array
    if (group.spare.length === 0) this.#spare.delete(group)
    return block
  }

  /** Takes back a whole block. */
  give(block: Uint8Array): void {
    const group = this.#groups.get(block.buffer)
    if (group === undefined) return
    group.spare.push(block)
    this.#spare.add(group)
  }

  /** Lets unused groups go until the rest of them hold no more than `mostBytes`. */
  trim(mostBytes: number): void {
    let idleBytes = this.idleBytes
    for (const group of this.#idle) {
      if (idleBytes <= mostBytes) return
      this.#spare.delete(group)
      idleBytes -= group.sizeBytes
    }
  }

  clear(): void {
    this.#spare.clear()
  }

  get #idle(): readonly Group[] {
    return [...this.#spare].filter(isIdle)
  }

  #add(blocks: readonly Uint8Array[]): void {
    for (const buffer of new Set(blocks.map((block) => block.buffer))) {
      const spare = blocks.filter((block) => block.buffer === buffer)
      const group = { size: spare.length, sizeBytes: buffer.byteLength, spare }
      this.#groups.set(buffer, group)
      this.#spare.add(group)
    }
  }
}

function isIdle({ size, spare }: Group): boolean {
  return spare.length === size
}
