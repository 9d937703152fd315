import { readFile, writeFile } from 'node:fs/promises'

/** The results kept in a JSON file; empty if there is none. */
export async function earlierResults(path) {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  return JSON.parse(text, (_, value) => (value === 'NaN' ? Number.NaN : value))
}

export async function keepResults(path, results) {
  await writeFile(path, JSON.stringify(results, numbersToo))
}

/** Keeps NaN as text, because JSON has no NaN. */
function numbersToo(_, value) {
  return Number.isNaN(value) ? 'NaN' : value
}
