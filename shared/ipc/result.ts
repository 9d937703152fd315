/** The outcome of a call that can fail in a way its caller must handle. Plain data: it crosses IPC as it is. */
export type Result<Value, Failure> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Failure }
