import { readFile, writeFile } from 'node:fs/promises'

/** What was kept in a file of JSON; nothing where there is none. */
export async function earlierResults(path) {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  return JSON.parse(text, (_, value) => (value === 'NaN' ? Number.NaN : value))
}

export async function keepResults(path, results) {
  await writeFile(path, JSON.stringify(results, numbersToo))
}

/** JSON knows no NaN. */
function numbersToo(_, value) {
  return Number.isNaN(value) ? 'NaN' : value
}
