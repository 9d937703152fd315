/**
 * What is used of WebAssembly (its JavaScript interface): the types of Node have none of it, those of a window more.
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
