// Run by hand after changing icon.svg or the icons in tray/: `node scripts/packages/draw-icons.mjs`. Needs Debian's
// librsvg2-bin.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { capture } from '../lib/child.mjs'
import { inRoot } from '../lib/paths.mjs'
import { icns } from './apple-icon.mjs'
import { Failure, main, step } from '../lib/say.mjs'

const SIZES = [16, 32, 48, 64, 128, 256, 512, 1024]
const ICO_SIZES = [16, 32, 48, 64, 128, 256]

const TRAY_STATES = ['idle', 'moving', 'attention']
const TRAY_SIDES = [16, 24, 32, 36, 48]
const TEMPLATE_SIDE = 18

const tray = (name) => assets('tray', 'drawn', `${name}.png`)
const assets = (...parts) => inRoot('scripts', 'assets', ...parts)

await main(() =>
  step('Drawing the icons', async () => {
    await mkdir(assets('icons'), { recursive: true })
    await mkdir(assets('tray', 'drawn'), { recursive: true })
    const images = new Map()
    for (const size of SIZES) images.set(size, await draw(size))
    await writeFile(assets('icon.ico'), ico(images))
    await writeFile(assets('icon.icns'), icns(images))
    for (const state of TRAY_STATES) await drawTray(state)
  }),
)

/** The notification area takes icons of 16 pixels on Windows and 24 on Linux, or up to twice that. */
async function drawTray(state) {
  for (const side of TRAY_SIDES) await drawFile(assets('tray', `${state}.svg`), tray(`${state}-${side}`), side)
  // macOS finds the high-resolution icon by its name.
  const template = assets('tray', `${state}-template.svg`)
  await drawFile(template, tray(`${state}Template`), TEMPLATE_SIDE)
  await drawFile(template, tray(`${state}Template@2x`), 2 * TEMPLATE_SIDE)
}

function draw(size) {
  return drawFile(assets('icon.svg'), assets('icons', `${size}x${size}.png`), size)
}

async function drawFile(source, file, size) {
  const args = ['-w', size, '-h', size, source, '-o', file].map(String)
  const { code, output } = await capture('rsvg-convert', args)
  if (code !== 0) throw new Failure(`rsvg-convert failed: ${output}`)
  return readFile(file)
}

/** Makes a Windows icon, which is a directory of PNG images. A side of 256 is written as 0. */
function ico(images) {
  const header = Buffer.alloc(6 + 16 * ICO_SIZES.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(ICO_SIZES.length, 4)
  let offset = header.length
  ICO_SIZES.forEach((size, index) => {
    const at = 6 + 16 * index
    const { length } = images.get(size)
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += length
  })
  return Buffer.concat([header, ...ICO_SIZES.map((size) => images.get(size))])
}
