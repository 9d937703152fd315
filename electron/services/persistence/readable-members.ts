import { z } from 'zod'

/** An object of whatever members, as it is kept. */
export const keptObject = z.record(z.string(), z.unknown())
export type KeptObject = z.infer<typeof keptObject>

/** Those members of an object that parse, each for itself: one that a newer version wrote takes no other along. */
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
