import type { z } from 'zod'
import type { CheckpointStore } from '../../engine/index.ts'

/** Small named values beside the checkpoints: settings, places, window state. */
export interface NamedValues {
  /** Null when there is none, or when what is there does not parse: a default is then better than no start. */
  read<Value>(name: string, schema: z.ZodType<Value>): Promise<Value | null>
  write(name: string, value: unknown): Promise<void>
}

export function createNamedValues(checkpoints: Pick<CheckpointStore, 'getValue' | 'setValue'>): NamedValues {
  return {
    read: async (name, schema) => {
      const json = await checkpoints.getValue(name)
      return json === null ? null : (schema.safeParse(parseJson(json)).data ?? null)
    },
    write: (name, value) => checkpoints.setValue(name, JSON.stringify(value)),
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
