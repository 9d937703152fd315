import { afterAll, beforeAll } from 'vitest'

/** Node’s own remarks on versions say nothing about the program. */
const REMARKS = new Set(['ExperimentalWarning', 'DeprecationWarning'])
const warnings: string[] = []

function note({ name, message }: Error): void {
  if (!REMARKS.has(name)) warnings.push(`${name}: ${message}`)
}

beforeAll(() => void process.on('warning', note))

/** What Node warns of, such as a leak, would reach a person: no test file may bring it about. */
afterAll(async () => {
  // A warning is emitted in the next turn.
  await new Promise(setImmediate)
  process.off('warning', note)
  const [first] = warnings.splice(0)
  if (first !== undefined) throw new Error(`Node warned: ${first}`)
})
