import { createNamedValues, type NamedValues } from '../../../electron/services/persistence/named-values.ts'
import { MemoryCheckpoints } from './memory-checkpoints.ts'

/** Named values in memory, and the text they are kept as. */
export function memoryValues(): NamedValues & {
  readonly text: () => string
  readonly put: MemoryCheckpoints['setValue']
} {
  const checkpoints = new MemoryCheckpoints()
  return {
    ...createNamedValues(checkpoints),
    text: () => [...checkpoints.values.values()].join('\n'),
    put: (name, json) => checkpoints.setValue(name, json),
  }
}
