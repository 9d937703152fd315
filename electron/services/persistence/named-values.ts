import type { z } from 'zod'
import { fitting } from '../../parsing/fitting.ts'

/** Small named values: settings, places, window state. */
export interface NamedValues {
  /** Returns null when there is none, or when it does not parse: starting with a default beats not starting. */
  read<Value>(name: string, schema: z.ZodType<Value>): Promise<Value | null>
  /** Keeps a value that `read` could not parse as `<name>-unreadable`. */
  write(name: string, value: unknown): Promise<void>
}

/** Where named values are kept, as JSON text. */
export interface ValueSource {
  getValue(name: string): Promise<string | null>
  /** Resolves when the value is durable. */
  setValue(name: string, json: string): Promise<void>
}

/** Holds nothing and keeps nothing. */
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
      const value = fitting(schema, parseJson(json))
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
