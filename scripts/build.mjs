import { compile } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { main } from './lib/say.mjs'

/** `npm run build`: compiles into out/. */
await main(async () => {
  await ensureDependencies()
  await compile()
})
