const PANEL = { width: 420, height: 150, left: 52, top: 26, gapX: 34, gapY: 30 }
const TITLE_HEIGHT = 34
const LEGEND_HEIGHT = 24
const TICKS = 4
const STYLE =
  'text{font:11px system-ui,sans-serif;fill:#444}.title{font-size:14px;font-weight:600;fill:#222}' +
  '.axis{stroke:#bbb}.grid{stroke:#eee}.series{fill:none;stroke-width:1.5}.limit{stroke:#999;stroke-dasharray:4 3}'

/**
 * Draws a grid of plots as one SVG picture. `rows` are rows of panels { title, unit, limit, series }. `limit` is a
 * dashed line, or null; series are { name, color, points: [[seconds, value]], isStepped }.
 */
export function plots(title, rows) {
  const columns = Math.max(...rows.map((row) => row.length))
  const width = columns * (PANEL.width + PANEL.left + PANEL.gapX)
  const height = TITLE_HEIGHT + rows.length * (PANEL.height + PANEL.top + PANEL.gapY) + LEGEND_HEIGHT
  const panels = rows.flatMap((row, y) => row.map((panel, x) => drawPanel(panel, x, y)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${STYLE}</style><rect width="100%" height="100%" fill="#fff"/>`,
    `<text class="title" x="12" y="22">${escaped(title)}</text>`,
    ...panels,
    legend(rows.flat(), height - 8),
    '</svg>\n',
  ].join('\n')
}

function drawPanel({ title, unit, limit = null, series }, column, row) {
  const x = column * (PANEL.width + PANEL.left + PANEL.gapX) + PANEL.left
  const y = TITLE_HEIGHT + row * (PANEL.height + PANEL.top + PANEL.gapY) + PANEL.top
  const points = series.flatMap((each) => each.points)
  const most = { x: niceMost(points.map(([at]) => at)), y: niceMost([...points.map(([, value]) => value), limit ?? 0]) }
  const toX = (at) => round((at / most.x) * PANEL.width)
  const toY = (value) => round(PANEL.height - (value / most.y) * PANEL.height)
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => index / TICKS)
  return [
    `<g transform="translate(${x} ${y})">`,
    `<text x="0" y="-8">${escaped(title)}, ${escaped(unit)}</text>`,
    ...ticks.map((share) => {
      const at = toY(share * most.y)
      return `<line class="grid" x2="${PANEL.width}" y1="${at}" y2="${at}"/><text x="-6" y="${at + 4}" text-anchor="end">${label(share * most.y)}</text>`
    }),
    ...ticks.map(
      (share) =>
        `<text x="${toX(share * most.x)}" y="${PANEL.height + 16}" text-anchor="middle">${label(share * most.x)} s</text>`,
    ),
    `<path class="axis" fill="none" d="M0 0V${PANEL.height}H${PANEL.width}"/>`,
    limit === null ? '' : `<line class="limit" x2="${PANEL.width}" y1="${toY(limit)}" y2="${toY(limit)}"/>`,
    ...series.map(
      ({ points: each, color, isStepped }) =>
        `<path class="series" stroke="${color}" d="${pathOf(
          each.map(([at, value]) => [toX(at), toY(value)]),
          isStepped,
        )}"/>`,
    ),
    '</g>',
  ].join('\n')
}

function pathOf(points, isStepped) {
  return points.map(([x, y], index) => (index === 0 ? `M${x} ${y}` : isStepped ? `H${x}V${y}` : `L${x} ${y}`)).join('')
}

function legend(panels, y) {
  const colors = new Map(panels.flatMap(({ series }) => series).map(({ name, color }) => [name, color]))
  return [...colors]
    .map(([name, color], index) => {
      const x = PANEL.left + index * 140
      return `<path stroke="${color}" stroke-width="3" d="M${x} ${y - 4}h18"/><text x="${x + 24}" y="${y}">${escaped(name)}</text>`
    })
    .join('')
}

/** The lowest of 1, 2, 4, 5, 10 … that no value exceeds. */
function niceMost(values) {
  const most = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((nice) => nice >= most)
}

function label(value) {
  return String(Number(value.toPrecision(3)))
}

function round(value) {
  return Math.round(value * 10) / 10
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
