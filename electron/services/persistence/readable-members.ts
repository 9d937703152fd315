import { z } from 'zod'

/** A stored object with any members. */
export const keptObject = z.record(z.string(), z.unknown())
export type KeptObject = z.infer<typeof keptObject>

/** Returns the members that parse, each on its own: one that a newer version wrote doesn't invalidate the others. */
export function readableMembers<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  kept: unknown,
): Partial<z.infer<z.ZodObject<Shape>>> {
  const object = keptObject.safeParse(kept).data ?? {}
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    const parsed = z.safeParse(schema, object[name])
    return name in object && parsed.success ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(members) as Partial<z.infer<z.ZodObject<Shape>>>
}
