/**
 * The part of WebAssembly's JavaScript interface that is used here. Node's types have none of it, and those of a window
 * have more than that.
 */
declare namespace WebAssembly {
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    constructor(pages: { readonly initial: number; readonly maximum: number })
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
  }
}
