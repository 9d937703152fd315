import type { z } from 'zod'

/** Small named values: settings, places, window state. */
export interface NamedValues {
  /** Null when there is none, or when what is there does not parse: a default is then better than no start. */
  read<Value>(name: string, schema: z.ZodType<Value>): Promise<Value | null>
  /** What `read` could not parse is kept beside it, as `<name>-unreadable`. */
  write(name: string, value: unknown): Promise<void>
}

/** Where named values are kept, as JSON text. */
export interface ValueSource {
  getValue(name: string): Promise<string | null>
  /** Resolves when it is durable. */
  setValue(name: string, json: string): Promise<void>
}

/** Knows nothing, and keeps nothing. */
export const FORGETFUL_VALUES: NamedValues = {
  read: () => Promise.resolve(null),
  write: () => Promise.resolve(),
}

export function createNamedValues(source: ValueSource): NamedValues {
  const unreadable = new Map<string, string>()
  return {
    read: async (name, schema) => {
      const json = await source.getValue(name)
      if (json === null) return null
      const value = schema.safeParse(parseJson(json)).data
      if (value === undefined) unreadable.set(name, json)
      return value ?? null
    },
    write: async (name, value) => {
      const json = unreadable.get(name)
      if (json !== undefined) await source.setValue(`${name}-unreadable`, json)
      unreadable.delete(name)
      await source.setValue(name, JSON.stringify(value))
    },
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
