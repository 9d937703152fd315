/** Files of a share or a drive that gives no bytes for a while: whoever asked for some gets them once it is back. */
export class SimHang {
  #paths: ReadonlySet<string> = new Set()
  #waiting: (() => void)[] = []
  #onRead: ((path: string) => void) | null = null

  /** `onRead` is told which file is read next, and may let it hang. */
  atNextRead(onRead: (path: string) => void): void {
    this.#onRead = onRead
  }

  begin(paths: ReadonlySet<string>): void {
    this.#paths = paths
  }

  end(): void {
    this.#paths = new Set()
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  /** Bytes of a file are asked for. */
  holds(path: string): boolean {
    const onRead = this.#onRead
    this.#onRead = null
    onRead?.(path)
    return this.#paths.has(path)
  }

  onEnd(goOn: () => void): void {
    this.#waiting.push(goOn)
  }
}
