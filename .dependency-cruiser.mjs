// Who may import whom. Every line is an error; a folder that needs more asks for it here, in review.

const SHARED = '^shared/'
const ENGINE = '^electron/engine/'
const ENGINE_SURFACE = '^electron/engine/(index|queue/api)\\.ts$'
/** What reads files: its own notes, and lists that other tools wrote. */
const NOTES = '^electron/engine/(partial-file/sidecar|multipart/parts-list|download/range-support)\\.ts$'
const CONTENT_TYPE = '^electron/engine/system/content-type\\.ts$'
const STORE_PORT = '^electron/stores/port/'
const STORES = '^electron/stores/'
const DEMO_STORE = '^electron/demo-store/'
const CLI = '^electron/cli(/|\\.ts$)'
const FEATURES = 'browser|drop|inspector|places|queue|settings'
const node = { core: true }
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`
const REACT = npm('@types/react', '@types/react-dom', 'react', 'react-dom', 'react-aria-components', 'lucide-react')
const ROWS = npm('@tanstack/react-virtual')

/** Files at `from` may import what `may` lists and nothing else; Node's own modules only if `node` is listed. */
function layer(name, from, may, butNot = []) {
  const paths = may.filter((each) => each !== node)
  const types = may.includes(node) ? { dependencyTypesNot: ['core'] } : {}
  return { name, severity: 'error', from: { path: from, pathNot: butNot }, to: { pathNot: paths, ...types } }
}

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unknown-modules', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    layer('shared-is-alone', SHARED, [SHARED]),
    layer(
      'engine-is-pure-node',
      ENGINE,
      [SHARED, ENGINE, STORE_PORT, node],
      ['^electron/engine/checkpoint/', NOTES, CONTENT_TYPE],
    ),
    layer('content-types-come-from-mime', CONTENT_TYPE, [node, npm('mime')]),
    layer('notes-are-parsed', NOTES, [SHARED, ENGINE, STORE_PORT, node, npm('zod')]),
    layer('checkpoints-know-sqlite', '^electron/engine/checkpoint/', [
      SHARED,
      ENGINE,
      STORE_PORT,
      node,
      npm('libsql', 'zod'),
    ]),
    layer('stores-speak-http', STORES, [SHARED, STORES, node, npm('zod', '@aws-sdk/credential-providers')]),
    layer('demo-store-stands-alone', DEMO_STORE, [SHARED, DEMO_STORE, node]),
    layer('ipc-is-a-door', '^electron/ipc/', [
      SHARED,
      ENGINE_SURFACE,
      '^electron/(ipc|services|shell)/',
      '^electron/stores/index\\.ts$',
      node,
      npm('electron', 'zod'),
    ]),
    layer('preload-knows-the-contract', '^electron/preload\\.ts$', [SHARED, npm('electron')]),
    layer('cli-has-no-window', CLI, [SHARED, ENGINE, STORES, DEMO_STORE, CLI, '^package\\.json$', node]),
    layer(
      'main-composes',
      '^electron/([^/]+\\.ts$|services/|shell/)',
      [SHARED, '^electron/', node, npm('electron', 'mime', 'zod')],
      [CLI, '^electron/preload'],
    ),
    layer('renderer-is-a-page', '^renderer/', [SHARED, '^renderer/', REACT, ROWS, npm('zustand')]),
    layer('ui-knows-no-transfers', '^renderer/ui/', ['^renderer/ui/', '^shared/visible-text\\.ts$', REACT, ROWS]),
    layer('state-draws-nothing', '^renderer/state/', [
      SHARED,
      '^renderer/state/',
      '^renderer/(bridge|format|row-words)\\.ts$',
      npm('zustand', 'react', '@types/react'),
    ]),
    {
      name: 'features-are-strangers',
      severity: 'error',
      from: { path: `^renderer/(${FEATURES})/` },
      to: { path: `^renderer/(${FEATURES})/`, pathNot: '^renderer/$1/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
