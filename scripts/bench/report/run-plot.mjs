import { summarize } from './figures.mjs'

/** Room for the longest label, “app: a folder of small files to the demo store, and back”, in a wide typeface. */
const LABEL_WIDTH = 350
const PANEL_WIDTH = 300
const GAP = 40
const LINE_HEIGHT = 20
const TITLE_HEIGHT = 44
const FIELDS = [
  ['seconds', 'seconds'],
  ['cpuSeconds', 'CPU s of the client'],
]
const STYLE =
  'text{font:11px system-ui,sans-serif;fill:#444}.title{font-size:13px;font-weight:600;fill:#222}' +
  '.axis{stroke:#ccc}.run{fill:#7a8aa0;fill-opacity:.55}.ours .run{fill:#1f6feb}.median{stroke:#222;stroke-width:2}'

/** One SVG picture with each run of each client as a dot and their median as a stroke, on axes that begin at 0. */
export function runPlot(results) {
  const blocks = results.map(blockOf).filter(({ rows }) => rows.length > 0)
  let y = 8
  const drawn = blocks.map((block) => {
    const at = y
    y += TITLE_HEIGHT + block.rows.length * LINE_HEIGHT + LINE_HEIGHT
    return drawBlock(block, at)
  })
  const width = LABEL_WIDTH + FIELDS.length * (PANEL_WIDTH + GAP)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}">`,
    `<style>${STYLE}</style><rect width="100%" height="100%" fill="#fff"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

/** A block of the rows that have times. Other scenarios have only tables. */
function blockOf({ scenario, rows }) {
  const summaries = rows.map(summarize).filter(({ all }) => all.seconds.length > 0 && all.cpuSeconds.length > 0)
  return { title: `${scenario.title} (${scenario.name})`, rows: summaries }
}

function drawBlock({ title, rows }, y) {
  const labels = rows.map(
    ({ label, isOurs }, index) =>
      `<text x="${LABEL_WIDTH - 10}" y="${lineAt(index) + 4}" text-anchor="end"${isOurs ? ' font-weight="600"' : ''}>${escaped(label)}</text>`,
  )
  const panels = FIELDS.map(([field, unit], index) => drawPanel(rows, field, unit, index))
  return [
    `<g transform="translate(0 ${y})">`,
    `<text class="title" x="12" y="14">${escaped(title)}</text>`,
    ...labels,
    ...panels,
    '</g>',
  ].join('\n')
}

function drawPanel(rows, field, unit, column) {
  const most = niceMost(rows.flatMap(({ all }) => all[field]))
  const toX = (value) => Math.round((value / most) * PANEL_WIDTH * 10) / 10
  const bottom = lineAt(rows.length) - LINE_HEIGHT / 2
  const top = TITLE_HEIGHT - LINE_HEIGHT / 2
  const ends = [0, most].map(
    (value) =>
      `<path class="axis" d="M${toX(value)} ${top}V${bottom}"/><text x="${toX(value)}" y="${bottom + 13}" text-anchor="middle">${Number(value.toPrecision(2))}</text>`,
  )
  const lines = rows.map((row, index) => {
    const dots = row.all[field].map((value) => `<circle class="run" cx="${toX(value)}" cy="${lineAt(index)}" r="4"/>`)
    const middle = `<path class="median" d="M${toX(row[field])} ${lineAt(index) - 7}v14"/>`
    return `<g${row.isOurs ? ' class="ours"' : ''}>${dots.join('')}${middle}</g>`
  })
  const x = LABEL_WIDTH + column * (PANEL_WIDTH + GAP)
  return [
    `<g transform="translate(${x} 0)">`,
    ...ends,
    `<text x="${PANEL_WIDTH / 2}" y="${bottom + 13}" text-anchor="middle">${unit}</text>`,
    ...lines,
    '</g>',
  ].join('\n')
}

function lineAt(index) {
  return TITLE_HEIGHT + index * LINE_HEIGHT
}

/** The lowest of 1, 1.5, 2, 3, 5, 7, 10 … that no value exceeds. */
function niceMost(values) {
  const most = Math.max(...values, 0.01)
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 1.5, 2, 3, 5, 7, 10].map((step) => step * power).find((nice) => nice >= most)
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
