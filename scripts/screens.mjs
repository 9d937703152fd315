import { inRoot } from './lib/paths.mjs'
import { run } from './lib/child.mjs'
import { main } from './lib/say.mjs'

/**
 * `npm run screens`: shows the real window in every view, light and dark, and keeps a picture of each in docs/screens.
 * `npm test` fails when a view looks otherwise; look at what changed before it is committed.
 */
await main(() =>
  run(process.execPath, [inRoot('scripts', 'test.mjs'), 'test/e2e/app/screens.test.ts'], {
    env: { ...process.env, SLUICE_SCREENS: 'keep' },
    stdio: 'inherit',
  }),
)
