import { existsSync, readdirSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// Who may import whom. Every line is an error; a folder that needs more asks for it here, in review.
// Names of folders leave `electron/` out. A folder of the tree that is not in the table fails the check.

/** What each folder may import beside itself, lowest first: none imports what stands further down. */
const MAY_IMPORT = parseTable(`
# Values, types and words that every side knows.
shared/language <-
shared <- shared/language
shared/place <- shared shared/language
shared/format <- shared shared/language
shared/transfer <- shared shared/format shared/language shared/place
shared/transfer/words <- shared shared/format shared/language shared/transfer
shared/ipc <- shared shared/language shared/place shared/transfer shared/transfer/words

# Sums of bytes.
checksums <-

# Waiting for promises.
async <-

# What the system's errors mean.
errno <-

# Names that outlive a power cut.
durable <- errno

# SQLite.
sqlite <-

# Values from outside.
parsing <-

# How a service is spoken to.
stores/network <- shared/place
stores/port <- shared shared/place stores/network
stores/http/wire <- checksums shared stores/network stores/port
stores/http <- async shared stores/http/wire stores/network stores/port
stores/messages <- parsing shared shared/place stores/http stores/port
stores/s3/profiles <- async shared shared/place stores/port
stores/s3 <- async shared shared/place stores/http stores/messages stores/port stores/s3/profiles
stores/storage <- shared shared/place stores/http stores/messages stores/port
stores/url <- shared shared/place stores/http stores/messages stores/network stores/port
stores <- shared shared/place stores/http stores/messages stores/port stores/s3 stores/s3/profiles stores/storage stores/url

# The embedded service.
demo-store/storage <- durable errno shared sqlite
demo-store/http <- demo-store/storage shared shared/place
demo-store/operations <- demo-store/http demo-store/storage shared
demo-store <- demo-store/http demo-store/operations demo-store/storage errno

# The engine.
engine/async <- shared
engine/core <- errno shared shared/place shared/transfer stores/port
engine/files <- async checksums engine/async engine/core errno shared shared/transfer
engine/checkpoint/database <- durable engine/core errno sqlite
engine/checkpoint/tables <- engine/checkpoint/database engine/core parsing shared shared/transfer sqlite
engine/checkpoint <- engine/checkpoint/database engine/checkpoint/tables engine/core engine/files
engine/flow-control <- engine/async engine/core shared shared/transfer stores/port
engine/retry <- engine/core errno shared shared/transfer stores/port
engine/hashing <- async checksums engine/async engine/core errno shared
engine/integrity <- checksums engine/async engine/core engine/hashing engine/retry errno shared shared/transfer stores/port
engine/line/upload/known <- engine/core shared
engine/line/upload/width <- engine/flow-control engine/line/upload/known shared
engine/line/upload/late <- engine/line/upload/known shared stores/port
engine/line/upload <- engine/async engine/core engine/flow-control engine/line/upload/known engine/line/upload/late engine/line/upload/width shared
engine/line <- engine/core engine/flow-control engine/line/upload engine/line/upload/known shared/transfer
engine/volumes <- engine/async engine/core shared
engine/system <- durable engine/async engine/core engine/files engine/hashing engine/volumes errno
engine/folders <- engine/async engine/core engine/files engine/flow-control engine/retry shared shared/transfer
engine/transfer <- engine/async engine/core engine/line shared shared/transfer
engine/multipart <- engine/async engine/core engine/files engine/integrity engine/retry parsing shared shared/transfer stores/port
engine/copying <- engine/async engine/core engine/integrity engine/multipart engine/retry shared stores/port
engine/partial-file <- checksums durable engine/core engine/files engine/integrity engine/retry errno parsing shared shared/transfer
engine/download/leases <- engine/core engine/flow-control shared
engine/download <- checksums durable engine/async engine/core engine/download/leases engine/files engine/flow-control engine/integrity engine/line engine/partial-file engine/retry engine/volumes errno parsing shared shared/format shared/transfer stores/port
engine/upload <- engine/async engine/core engine/files engine/integrity engine/line/upload engine/line/upload/late engine/multipart engine/retry engine/volumes shared shared/transfer stores/port
engine/folders/download <- engine/async engine/core engine/download engine/files engine/folders engine/integrity engine/partial-file engine/retry engine/system engine/volumes errno shared shared/format shared/place shared/transfer stores/port
engine/folders/upload <- async engine/async engine/core engine/files engine/folders engine/integrity engine/line/upload engine/multipart engine/retry engine/system engine/upload engine/volumes errno shared shared/place shared/transfer stores/port
engine/queue/rows <- engine/async engine/core engine/transfer engine/volumes shared shared/transfer
engine/queue/runs <- async engine/core engine/flow-control engine/line engine/queue/rows engine/retry engine/transfer engine/upload engine/volumes shared shared/transfer shared/transfer/words
engine/queue/commands <- engine/async engine/core engine/files engine/folders engine/partial-file engine/queue/rows engine/queue/runs engine/transfer engine/upload shared shared/transfer
engine/queue <- async engine/async engine/core engine/flow-control engine/line engine/partial-file engine/queue/commands engine/queue/rows engine/queue/runs engine/system engine/transfer engine/upload shared/transfer
engine <- durable engine/async engine/checkpoint engine/checkpoint/database engine/checkpoint/tables engine/copying engine/core engine/download engine/files engine/flow-control engine/folders/download engine/folders/upload engine/integrity engine/multipart engine/partial-file engine/queue engine/retry engine/system engine/upload errno

# What Sluice tells about itself.
report <- shared shared/format shared/place shared/transfer

# The command line.
cli/manual <- shared
cli <- async cli/manual engine shared shared/format shared/language shared/place shared/transfer shared/transfer/words stores stores/network stores/port
cli/session <- async cli engine shared shared/format shared/transfer shared/transfer/words
cli/commands <- async cli cli/manual cli/session demo-store engine report shared shared/format shared/place shared/transfer stores/port

# What works without a window.
services/persistence <- engine parsing shared shared/ipc shared/place shared/transfer stores/port
services/requests <- engine shared/ipc shared/language shared/transfer/words
services/scheduling <- engine services/persistence shared shared/ipc shared/transfer
services/bandwidth <- services/persistence services/scheduling shared shared/ipc
services/network <- async parsing services/persistence services/requests shared/ipc shared/language stores/http stores/network stores/port
services/places <- demo-store engine parsing services/persistence services/requests shared shared/ipc shared/language shared/place shared/transfer shared/transfer/words stores stores/network stores/port
services/objects <- engine services/places services/requests shared shared/ipc shared/language shared/transfer shared/transfer/words stores stores/port
services/transfers/unfinished <- engine services/places services/requests shared shared/ipc shared/language shared/place shared/transfer shared/transfer/words stores/port
services/transfers <- engine services/places services/requests shared shared/ipc shared/language shared/transfer stores/port
services/updates <- durable errno parsing services/persistence services/scheduling shared shared/ipc stores/network stores/port
services <- engine services/bandwidth services/network services/persistence services/places services/scheduling services/transfers services/transfers/unfinished shared shared/ipc shared/language shared/transfer shared/transfer/words

# Electron itself, and the door to the window.
shell/quit <- services/persistence shared shared/language shared/place shared/transfer
shell/window <- services/persistence shared/language shared/place
shell <- cli/manual demo-store engine report services/network services/persistence services/requests services/updates shared shared/format shared/ipc shared/language shared/place shared/transfer
shell/desk <- engine report services/bandwidth services/persistence services/requests services/scheduling services/updates shared shared/format shared/ipc shared/language shared/place shared/transfer shell shell/window
ipc/parsers <- services/persistence shared shared/ipc shared/place shared/transfer
ipc <- engine ipc/parsers parsing services/network services/objects services/persistence services/places services/requests services/transfers/unfinished shared shared/ipc shared/language shared/place shared/transfer shared/transfer/words shell stores

# The start of the app, which puts all of it together.
app <- engine ipc services services/objects services/persistence services/places services/transfers services/updates shell shell/desk shell/quit shell/window

# The window.
renderer/ui/hooks <- shared/language
renderer/ui <- renderer/ui/hooks shared/language
renderer/ui/fields <- renderer/ui
renderer/ui/overlays <- renderer/ui renderer/ui/hooks shared shared/language
renderer <- shared shared/ipc shared/transfer/words
renderer/words <- shared shared/format shared/ipc shared/language shared/place shared/transfer shared/transfer/words
renderer/state/queue <- shared shared/language shared/place shared/transfer shared/transfer/words
renderer/state/objects <- renderer shared shared/ipc shared/language shared/place shared/transfer/words
renderer/state/ui <- renderer renderer/state/objects renderer/state/queue shared/ipc shared/language shared/place shared/transfer shared/transfer/words
renderer/state <- renderer renderer/state/objects renderer/state/queue renderer/state/ui shared shared/format shared/ipc shared/language shared/place shared/transfer
renderer/actions/rows <- renderer renderer/state renderer/state/queue renderer/state/ui renderer/words shared shared/language shared/transfer
renderer/actions <- renderer renderer/actions/rows renderer/state renderer/state/objects renderer/state/queue renderer/state/ui renderer/words shared shared/ipc shared/language shared/place shared/transfer
renderer/actions/links <- renderer renderer/actions renderer/state/ui shared/ipc shared/language shared/place
renderer/commands <- renderer renderer/actions renderer/actions/rows renderer/state renderer/state/objects renderer/state/queue renderer/state/ui renderer/words shared/ipc shared/language shared/transfer
renderer/inspector <- renderer/actions renderer/state renderer/state/queue renderer/ui renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/format shared/ipc shared/language shared/transfer shared/transfer/words
renderer/sheet-parts <- renderer renderer/actions renderer/commands renderer/state renderer/state/objects renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/ipc shared/language shared/place shared/transfer
renderer/queue/rows <- renderer/actions renderer/state renderer/state/queue renderer/state/ui renderer/ui renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/language shared/transfer
renderer/queue/bars <- renderer/actions renderer/state renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/format shared/ipc shared/language
renderer/queue <- renderer renderer/actions renderer/actions/links renderer/actions/rows renderer/commands renderer/queue/rows renderer/sheet-parts renderer/state renderer/state/queue renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/format shared/ipc shared/language shared/transfer
renderer/objects <- renderer/commands renderer/state renderer/state/objects renderer/state/ui renderer/ui renderer/ui/hooks renderer/words shared shared/language shared/transfer shared/transfer/words
renderer/preview <- renderer renderer/actions renderer/state/ui renderer/ui renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/ipc shared/language
renderer/browser/inspector <- renderer renderer/actions renderer/preview renderer/sheet-parts renderer/state renderer/state/objects renderer/state/ui renderer/ui renderer/ui/hooks renderer/words shared shared/ipc shared/language
renderer/browser/work <- renderer renderer/state shared/language shared/transfer/words
renderer/browser/moving <- renderer renderer/browser/work renderer/sheet-parts renderer/state renderer/state/objects renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/overlays shared shared/ipc shared/language
renderer/browser <- renderer renderer/actions renderer/browser/work renderer/commands renderer/objects renderer/sheet-parts renderer/state renderer/state/objects renderer/state/queue renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/ipc shared/language shared/place shared/transfer shared/transfer/words
renderer/downloads <- renderer renderer/actions renderer/actions/links renderer/objects renderer/sheet-parts renderer/state renderer/state/objects renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/ipc shared/language shared/place shared/transfer/words
renderer/places <- renderer/actions renderer/commands renderer/sheet-parts renderer/state renderer/state/queue renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/overlays renderer/words shared shared/ipc shared/language shared/place shared/transfer
renderer/settings <- renderer renderer/actions renderer/sheet-parts renderer/state renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/format shared/ipc shared/language shared/transfer
renderer/uploads <- renderer renderer/actions renderer/actions/links renderer/sheet-parts renderer/state renderer/state/objects renderer/state/queue renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/words shared shared/ipc shared/language shared/place shared/transfer shared/transfer/words
renderer/app <- renderer renderer/actions renderer/actions/links renderer/actions/rows renderer/browser renderer/browser/inspector renderer/browser/moving renderer/commands renderer/downloads renderer/inspector renderer/places renderer/preview renderer/queue renderer/queue/bars renderer/settings renderer/sheet-parts renderer/state renderer/state/queue renderer/state/ui renderer/ui renderer/ui/fields renderer/ui/hooks renderer/ui/overlays renderer/uploads renderer/words shared shared/ipc shared/language shared/transfer
`)

/** The only files of a folder that others import. */
const DOORS = {
  app: ['start'],
  'demo-store': ['index'],
  engine: ['index'],
  'engine/checkpoint': ['discarded', 'salvage', 'sqlite-checkpoint-store'],
  'engine/download': ['download', 'requests'],
  'engine/folders/download': ['folder-download', 'list-prefix', 'small-files'],
  'engine/folders/upload': ['folder-upload', 'plan', 'source-files'],
  'engine/queue': ['api', 'engine'],
  services: ['index'],
  'services/network': ['app-network'],
  stores: ['index'],
  'stores/http': ['connection-pool', 'connection-pools', 'exchange', 'inspect-certificate'],
  'stores/storage': ['list-buckets', 'storage-store'],
  'stores/url': ['link-sign-in', 'url-store'],
  'renderer/browser/inspector': ['object-inspector'],
  'renderer/browser/moving': ['move-sheet', 'rename-sheet'],
  'renderer/downloads': ['download-picked-sheet', 'download-sheet', 'links-sheet'],
  'renderer/inspector': ['inspector'],
  'renderer/places': ['place-list', 'place-sheet'],
  'renderer/settings': ['settings-sheet'],
}

const REACT = ['react', 'react-dom', 'react-aria-components', 'lucide-react']

/** The packages that a folder may import. */
const PACKAGES = {
  app: ['electron'],
  'shared/language': ['intl-messageformat'],
  'cli/commands': ['zod'],
  'engine/checkpoint/tables': ['zod'],
  'engine/download': ['zod'],
  'engine/multipart': ['zod'],
  'engine/partial-file': ['zod'],
  'engine/system': ['mime'],
  ipc: ['electron'],
  sqlite: ['libsql'],
  parsing: ['zod'],
  'ipc/parsers': ['zod'],
  'services/bandwidth': ['zod'],
  'services/network': ['electron', 'zod'],
  'services/persistence': ['electron', 'zod'],
  'services/places': ['zod'],
  'services/scheduling': ['zod'],
  'services/updates': ['electron', 'electron-updater', 'zod'],
  shell: ['electron', 'zod'],
  'shell/desk': ['electron', 'zod'],
  'shell/quit': ['electron'],
  'shell/window': ['electron', 'zod'],
  'stores/messages': ['zod'],
  'stores/s3/profiles': ['@aws-sdk/credential-providers', '@smithy/core'],
  'renderer/app': REACT,
  'renderer/browser': REACT,
  'renderer/browser/inspector': REACT,
  'renderer/browser/moving': REACT,
  'renderer/browser/work': REACT,
  'renderer/downloads': REACT,
  'renderer/inspector': REACT,
  'renderer/objects': REACT,
  'renderer/places': REACT,
  'renderer/preview': REACT,
  'renderer/queue': REACT,
  'renderer/queue/bars': REACT,
  'renderer/queue/rows': REACT,
  'renderer/settings': REACT,
  'renderer/sheet-parts': REACT,
  'renderer/state': ['react', 'zustand'],
  'renderer/state/objects': ['zustand'],
  'renderer/state/queue': ['zustand'],
  'renderer/state/ui': ['zustand'],
  'renderer/ui': REACT,
  'renderer/ui/fields': REACT,
  'renderer/ui/overlays': REACT,
  'renderer/ui/hooks': ['react', '@tanstack/react-virtual'],
  'renderer/uploads': [...REACT, 'zustand'],
}

/** The three programs, each a file of its own. */
const ENTRIES = {
  main: {
    folders: ['app', 'cli/commands', 'shell', 'shell/window'],
    packages: ['electron'],
  },
  preload: { folders: ['shared/ipc'], packages: ['electron'] },
  cli: { folders: ['cli/commands'], packages: [] },
}

/** Files of data, and the styles of the page. */
const OTHERS = {
  'shared/language': ['^shared/language/(en|zh-CN)/'],
  'cli/commands': ['^package\\.json$'],
  'renderer/app': ['^renderer/styles/'],
}

/** Lines of the form `folder <- folders`; `#` begins a remark. */
function parseTable(text) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => line.split(' <-')).map(([folder, may]) => [folder, may.split(' ').filter(Boolean)]),
  )
}

const pathOf = (folder) => (/^(shared|renderer)(\/|$)/.test(folder) ? folder : `electron/${folder}`)
const filesOf = (folder) => `^${pathOf(folder)}/[^/]+$`
const npm = (names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}/`)
const isOfNode = (folder) => pathOf(folder).startsWith('electron/')

/** Files at `from` may import files of `folders`, `packages`, and Node's own modules where `node` says so. */
function layer(name, from, { folders, packages = [], node, others = [] }) {
  const to = { pathNot: [...folders.map(filesOf), ...npm(packages), ...others] }
  return { name, severity: 'error', from: { path: from }, to: node ? { ...to, dependencyTypesNot: ['core'] } : to }
}

/** Most source files of a folder, beside its folders; styles are not counted. A larger one holds several ideas. */
const MOST_FILES = 15

const root = fileURLToPath(new URL('.', import.meta.url))

function foldersBelow(tree) {
  const entries = readdirSync(new URL(tree, import.meta.url), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
  return files.map(({ parentPath }) => relative(root, parentPath).split(sep).join('/'))
}

/** Throws where a folder holds more than a reader takes in at once. */
function checkSizes() {
  const held = new Map()
  for (const path of ['shared/', 'electron/', 'renderer/', 'scripts/', 'test/'].flatMap(foldersBelow)) {
    held.set(path, (held.get(path) ?? 0) + 1)
  }
  const full = [...held].filter(([, files]) => files > MOST_FILES).map(([path, files]) => `${path} (${files})`)
  if (full.length > 0) throw new Error(`These hold more than ${MOST_FILES} source files: ${full.join(', ')}`)
}

/** Throws where the tables name what isn't there, or leave out what is: a rule that matches nothing would pass unseen. */
function checkTables() {
  const there = new Set(['shared/', 'electron/', 'renderer/'].flatMap(foldersBelow))
  there.delete('electron')
  const known = Object.keys(MAY_IMPORT)
  const refuse = (what, names) => {
    if (names.length > 0) throw new Error(`${what}: ${names.join(', ')}`)
  }
  const unknown = (names) => names.filter((name) => !known.includes(name))
  refuse(
    'No rule says what these may import',
    [...there].filter((path) => !known.map(pathOf).includes(path)),
  )
  refuse(
    'These have rules and are not there',
    known.filter((folder) => !there.has(pathOf(folder))),
  )
  const named = [
    ...Object.keys(DOORS),
    ...Object.keys(PACKAGES),
    ...Object.values(ENTRIES).flatMap((each) => each.folders),
    ...Object.keys(OTHERS).filter((name) => !(name in ENTRIES)),
  ]
  refuse('These are in no line of the table', unknown(named))
  const doors = Object.entries(DOORS).flatMap(([folder, names]) => names.map((name) => `${pathOf(folder)}/${name}`))
  refuse(
    'These doors are not there',
    doors.filter((door) => !existsSync(`${root}${door}.ts`) && !existsSync(`${root}${door}.tsx`)),
  )
  for (const [folder, may] of Object.entries(MAY_IMPORT)) {
    refuse(
      `${folder} stands further up than`,
      may.filter((each) => !known.slice(0, known.indexOf(folder)).includes(each)),
    )
  }
}

checkTables()
checkSizes()

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unknown-modules', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'three-programs',
      severity: 'error',
      from: { path: '^electron/(?!(main|preload|cli)\\.ts$)[^/]+$' },
      to: {},
    },
    ...Object.entries(ENTRIES).map(([name, { folders, packages }]) =>
      layer(`program: ${name}`, `^electron/${name}\\.ts$`, {
        folders,
        packages,
        node: name !== 'preload',
        others: OTHERS[name],
      }),
    ),
    ...Object.entries(MAY_IMPORT).map(([folder, folders]) =>
      layer(`folder: ${folder}`, filesOf(folder), {
        folders: [folder, ...folders],
        packages: PACKAGES[folder],
        node: isOfNode(folder),
        others: OTHERS[folder],
      }),
    ),
    ...Object.entries(DOORS).map(([folder, doors]) => ({
      name: `doors: ${folder}`,
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: filesOf(folder) },
      to: { path: filesOf(folder), pathNot: `^${pathOf(folder)}/(${doors.join('|')})\\.tsx?$` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
