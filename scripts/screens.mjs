import { inRoot } from './lib/paths.mjs'
import { run } from './lib/child.mjs'
import { main } from './lib/say.mjs'

const TESTS = ['test/e2e/app/screens.test.ts', 'test/e2e/access/screen-reader.test.ts']

/**
 * `npm run screens`: shows the real window in every view, light and dark, and keeps a picture of each in docs/screens,
 * and what a screen reader says of the main flows in docs/screen-reader.md.
 * `npm test` fails when a view looks otherwise; look at what changed before it is committed.
 */
await main(() =>
  run(process.execPath, [inRoot('scripts', 'test.mjs'), ...TESTS], {
    env: { ...process.env, SLUICE_SCREENS: 'keep' },
    stdio: 'inherit',
  }),
)
