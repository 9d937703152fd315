import { run } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { inRoot } from './lib/paths.mjs'
import { main } from './lib/say.mjs'

/** `npm run cli -- …`: transfers without a window; relative paths are the caller's. */
await main(async (args) => {
  await ensureDependencies()
  await ensureCompiled()
  const cwd = process.env.INIT_CWD ?? process.cwd()
  return run(process.execPath, [inRoot('out', 'cli.js'), ...args], { cwd })
})
