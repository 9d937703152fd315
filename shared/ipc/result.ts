/** The outcome of a call that can fail in a way that its caller must handle. Plain data, so it can cross IPC. */
export type Result<Value, Failure> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Failure }
