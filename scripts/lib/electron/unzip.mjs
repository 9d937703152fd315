import { createWriteStream } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

/** Unpacks a zip into `target`; `rename` gives each entry its path there, or undefined to leave it out. */
export async function unzip(zipFile, target, rename) {
  const { default: yauzl } = await import('yauzl')
  const zip = await promisify(yauzl.open)(zipFile, { lazyEntries: true })
  const open = promisify(zip.openReadStream.bind(zip))
  await new Promise((resolveAll, reject) => {
    zip.on('error', reject)
    zip.on('end', resolveAll)
    zip.on('entry', (entry) => {
      extract(entry, open, target, rename).then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
}

async function extract(entry, open, target, rename) {
  const name = entry.fileName.endsWith('/') ? undefined : rename(entry.fileName)
  if (name === undefined) return
  const path = resolve(target, name)
  if (!path.startsWith(resolve(target) + sep)) throw new Error(`${entry.fileName} points outside the archive`)
  const mode = entry.externalFileAttributes >>> 16
  await mkdir(dirname(path), { recursive: true })
  const bytes = await open(entry)
  if ((mode & FILE_TYPE) === SYMBOLIC_LINK) await symlink(await text(bytes), path)
  else await pipeline(bytes, createWriteStream(path, { mode: (mode & 0o777) | 0o600 }))
}
