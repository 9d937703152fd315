import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const BLOCK_BYTES = 4 * 1024 * 1024
const PAGE_OBJECTS = 1000
export const SMALL_OBJECT_BYTES = 4096

/** Writes a file of random bytes. Resolves with its SHA-256. */
export async function writeSource(path, sizeBytes) {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  const file = await open(path, 'w')
  for (let left = sizeBytes; left > 0; left -= BLOCK_BYTES) {
    const piece = randomFillSync(block).subarray(0, left)
    hash.update(piece)
    await file.write(piece)
  }
  // Otherwise writing it to the disk would slow down later measurements.
  await file.datasync()
  await file.close()
  return hash.digest('hex')
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path) {
  const hash = createHash('sha256')
  for await (const block of createReadStream(path, { highWaterMark: BLOCK_BYTES })) hash.update(block)
  return hash.digest('hex')
}

/** One digest for all files of a folder, by name. */
export async function sha256OfFolder(folder) {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) hash.update(`${name} ${await sha256Of(join(folder, name))}\n`)
  return hash.digest('hex')
}

/**
 * Makes `count` small objects below `<www>/demo/<prefix>/`, an index page for clients that read one, and the pages of
 * ListObjects: `<www>/listing/<prefix><marker>.json`, with both as in the query. Resolves with names and digest.
 */
export async function writeSmallObjects(www, prefix, count) {
  const folder = join(www, 'demo', prefix)
  const { names, digest } = await writeSmallFiles(folder, count, SMALL_OBJECT_BYTES)
  await writeFile(join(folder, 'index.html'), names.map((name) => `<a href="${name}">${name}</a>\n`).join(''))
  await writeListing(www, prefix, names)
  return { prefix, names, digest }
}

/** Makes `count` files of `sizeBytes` in a new folder. Resolves with their names and one digest for all of them. */
export async function writeSmallFiles(folder, count, sizeBytes) {
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: count }, (_, index) => `${String(index).padStart(6, '0')}.bin`)
  const hash = createHash('sha256')
  for (const name of names) {
    const content = randomFillSync(Buffer.allocUnsafe(sizeBytes))
    await writeFile(join(folder, name), content)
    hash.update(`${name} ${createHash('sha256').update(content).digest('hex')}\n`)
  }
  return { localPath: folder, names, digest: hash.digest('hex') }
}

async function writeListing(www, prefix, names) {
  const listing = join(www, 'listing')
  await mkdir(listing, { recursive: true })
  let marker = ''
  for (let first = 0; first < names.length; first += PAGE_OBJECTS) {
    const page = names.slice(first, first + PAGE_OBJECTS)
    const last = `${prefix}/${page.at(-1)}`
    const isTruncated = first + PAGE_OBJECTS < names.length
    const body = {
      Name: 'demo',
      Prefix: `${prefix}/`,
      IsTruncated: isTruncated,
      ...(isTruncated ? { NextMarker: last } : {}),
      CommonPrefixes: [],
      Contents: await Promise.all(page.map((name) => listed(www, prefix, name))),
    }
    const file = `${encodeURIComponent(`${prefix}/`)}${encodeURIComponent(marker)}.json`
    await writeFile(join(listing, file), JSON.stringify(body))
    marker = last
  }
}

async function listed(www, prefix, name) {
  const facts = await stat(join(www, 'demo', prefix, name))
  return {
    Key: `${prefix}/${name}`,
    Size: facts.size,
    ETag: etagOf(facts),
    LastModified: facts.mtime.toISOString(),
  }
}

/** A strong ETag made from time and size, as nginx does. */
export function etagOf({ mtimeMs, size }) {
  return `"${Math.floor(mtimeMs / 1000).toString(16)}-${size.toString(16)}"`
}
