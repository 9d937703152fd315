import { join } from 'node:path'
import { build } from 'vite'

/**
 * Compiles one TypeScript entry for plain Node, so that a test can run it in a process of its own and kill it.
 * @returns the path of the compiled file, inside node_modules so that packages resolve.
 */
export async function buildEntry(entry: string): Promise<string> {
  const name = `${entry.replaceAll(/[^a-z0-9]+/gi, '-')}-${String(process.pid)}`
  const outDir = join(import.meta.dirname, '../../../node_modules/.cache/sluice-test', name)
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: entry, outDir, target: 'node20', rolldownOptions: { output: { entryFileNames: 'entry.js' } } },
  })
  return join(outDir, 'entry.js')
}
