// The one way in which values from outside meet a schema: files, databases, services, other programs, the window.

import { z } from 'zod'

/** What a schema makes of a foreign value, or why the value does not fit. */
export type Parsed<Value> =
  | { readonly success: true; readonly data: Value }
  | { readonly success: false; readonly data?: undefined; readonly error: z.ZodError<unknown> }

/**
 * Parses a foreign value. Never throws: zod compares the `length` of a value even if it is of another type, and throws
 * for one such as `{"length":{"valueOf":1,"toString":1}}`.
 */
export function parseForeign<Value>(schema: z.ZodType<Value>, value: unknown): Parsed<Value> {
  try {
    return schema.safeParse(value)
  } catch (failure) {
    const message = String(failure)
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: undefined }]) }
  }
}

/** Returns what a schema makes of a foreign value; undefined if the value does not fit. */
export function fitting<Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined {
  return parseForeign(schema, value).data
}
