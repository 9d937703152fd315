import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../lib/paths.mjs'
import { packageFacts, packagesBelow } from '../lib/shipped.mjs'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i

/** Packages that npm installs for other systems, and packaging leaves out. */
const NOT_PACKED = /-musl$/

/** Licenses that may be in what ships. A person has to look at any other. */
export const PERMISSIVE = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'])

/** A bundler plugin that adds to `folders` the folder of each package whose code is built in. */
export function noteBundled(folders) {
  return {
    name: 'note-bundled-packages',
    generateBundle(_options, bundle) {
      for (const { modules = {} } of Object.values(bundle))
        for (const module of Object.keys(modules)) {
          const folder = packageFolder(module)
          if (folder !== null) folders.add(folder)
        }
    },
  }
}

/** The folder of the package that a file belongs to; null for Sluice's own files. Pure. */
export function packageFolder(file) {
  const match = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(file.replace(/^\0/, ''))
  return match?.[0] ?? null
}

/**
 * All third-party packages in what ships: those that are built in, and those beside, which are the production
 * dependencies with everything they depend on that is installed here. Includes Electron. Sorted by name. Throws if a
 * license has no text.
 *
 * @returns {{ name: string, version: string, license: string, text: string }[]}
 */
export function thirdParty(bundledFolders) {
  const { dependencies } = packageFacts()
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const beside = [...packagesBelow(lock, Object.keys(dependencies))]
    .filter((name) => !NOT_PACKED.test(name))
    .map((name) => inRoot('node_modules', name))
  const folders = [...bundledFolders, ...beside, inRoot('node_modules', 'electron')].filter((folder) =>
    existsSync(join(folder, 'package.json')),
  )
  const found = folders.map(factsOf)
  const byName = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The text of the file with all licenses. Pure. */
export function noticesOf(packages) {
  const head =
    'Sluice contains third-party work under the licenses below. Electron itself includes Chromium’s licenses.'
  const notices = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`)
  return `${[head, ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function factsOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, license, text: texts.length > 0 ? texts.join('\n\n') : standardText(name, license, folder) }
}

/**
 * The text for packages that only name their license. Apache's is always the same, and is in many other packages here;
 * MIT's differs only in the line with the holder, who is the author.
 */
function standardText(name, license, folder) {
  if (license === 'Apache-2.0')
    return readFileSync(inRoot('node_modules', '@aws-sdk', 'credential-providers', 'LICENSE'), 'utf8').trim()
  if (license === 'MIT') {
    const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const holder = typeof author === 'string' ? author : (author?.name ?? `The authors of ${name}`)
    const own = readFileSync(inRoot('LICENSE'), 'utf8').trim()
    return own.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)
  }
  throw new Error(`There is no text of the license ${license}, which ${name} names.`)
}

/**
 * A CycloneDX bill of materials of the third-party packages. `integrities` maps `name@version` to its checksum;
 * `linked` are packages of the system, each with its `reference`, a purl. Pure.
 */
export function billOfMaterials({ version, packages, linked, integrities, electronVersion, madeAt }) {
  const bundled = packages.map((each) => {
    const shown = each.name === 'electron' ? { ...each, version: electronVersion } : each
    const reference = `pkg:npm/${shown.name.replace('@', '%40')}@${shown.version}`
    const integrity = integrities.get(`${shown.name}@${shown.version}`)
    return {
      type: each.name === 'electron' ? 'framework' : 'library',
      'bom-ref': reference,
      name: shown.name,
      version: shown.version,
      purl: reference,
      licenses: [{ license: { id: shown.license } }],
      ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    }
  })
  const fromSystem = linked.map(({ name, version, license, reference }) => ({
    type: 'library',
    'bom-ref': reference,
    name,
    version,
    purl: reference,
    licenses: [{ license: { id: license } }],
  }))
  const components = [...bundled, ...fromSystem]
  const own = `pkg:npm/sluice@${version}`
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'sluice',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each['bom-ref']) }],
  }
}

/** The checksums in a lock file by `name@version`. Pure. */
export function integritiesOf(lock) {
  const known = Object.entries(lock.packages).filter(([, { integrity }]) => integrity !== undefined)
  return new Map(known.map(([folder, { version, integrity }]) => [`${nameOf(folder)}@${version}`, integrity]))
}

function nameOf(folder) {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function hashOf(integrity) {
  const [algorithm, base64] = integrity.split('-', 2)
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}
