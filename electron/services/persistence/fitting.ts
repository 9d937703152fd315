import type { z } from 'zod'

/**
 * Returns what a schema makes of a stored value; undefined if the value does not fit. Zod compares the `length` of a
 * value even if it is of another type, and throws if that can't be compared.
 */
export function fitting<Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined {
  try {
    return schema.safeParse(value).data
  } catch {
    return undefined
  }
}
