import { z } from 'zod'
import { fitting } from '../../parsing/fitting.ts'

/** A stored object with any members. */
export const keptObject = z.record(z.string(), z.unknown())
export type KeptObject = z.infer<typeof keptObject>

/** Returns the members that parse, each on its own: one that a newer version wrote doesn't invalidate the others. */
export function readableMembers<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  kept: unknown,
): Partial<z.infer<z.ZodObject<Shape>>> {
  const object = fitting(keptObject, kept) ?? {}
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    const member = name in object ? fitting(schema as z.ZodType, object[name]) : undefined
    return member === undefined ? [] : [[name, member]]
  })
  return Object.fromEntries(members) as Partial<z.infer<z.ZodObject<Shape>>>
}
