const RELEASE = /^## (\d+\.\d+\.\d+(?:-beta\.\d+)?) - (\d{4}-\d{2}-\d{2})$/gm
const OPEN_HEAD = '## Next'

/**
 * The releases of a changelog, newest first. Pure.
 *
 * @returns {{ version: string, date: string }[]}
 */
export function releasesOf(changelog) {
  return [...changelog.matchAll(RELEASE)].map(([, version, date]) => ({ version, date }))
}

/** What a changelog says about a version; null: nothing. Pure. */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find((text) => text.startsWith(`${version} - `))
  return part === undefined ? null : part.slice(part.indexOf('\n') + 1).trim()
}

/**
 * Turns what stands under "Next" in the changelog into a release. Throws if there is nothing to release, or the version
 * exists already. Pure.
 *
 * @returns {string}
 */
export function released(changelog, version, date) {
  if (releasesOf(changelog).some((each) => each.version === version))
    throw new Error(`${version} is already in CHANGELOG.md.`)
  const [, next] = changelog.split(/^## /m)
  const notes = next?.startsWith('Next') ? next.slice('Next'.length).trim() : ''
  if (notes === '') throw new Error(`CHANGELOG.md says nothing under “${OPEN_HEAD}”.`)
  return changelog.replace(`${OPEN_HEAD}\n`, `${OPEN_HEAD}\n\n## ${version} - ${date}\n`)
}
