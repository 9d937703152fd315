/** Apple's four-letter types for PNG images, with their sides in pixels: each size, and its high-resolution version. */
export const ICNS_TYPES = [
  ...[
    ['icp4', 16],
    ['icp5', 32],
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
  ],
  ...[
    ['ic11', 32],
    ['ic12', 64],
    ['ic13', 256],
    ['ic14', 512],
    ['ic10', 1024],
  ],
]

/** Makes an Apple icon: each image, preceded by its type and length. `images` are PNGs by side. Pure. */
export function icns(images) {
  return block('icns', Buffer.concat(ICNS_TYPES.map(([type, side]) => block(type, images.get(side)))))
}

function block(type, content) {
  const header = Buffer.alloc(8, type)
  header.writeUInt32BE(content.length + 8, 4)
  return Buffer.concat([header, content])
}
