import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from '../../lib/say.mjs'
import { ofSources, withWindows } from '../machine/app.mjs'
import { inTurn } from '../machine/measure.mjs'
import { fillQueue } from './queue-records.mjs'

/** About as many transfers as are visible: anything that a longer list costs beyond this is due to its length. */
const FEW = 100
const MOVING = 20
const WATCHED_MS = 10_000
const SCROLLED_FRAMES = 300
/** Half a window per frame, so that everything visible is redrawn every other frame. */
const SCROLLED_PIXELS = 300
/** The heads of the columns and of the two groups. */
const HEADS = 3

const STAGES = {
  opened: 'opened until the first rows are usable',
  filled: 'until all rows are there',
  moving: `${MOVING} of them moving`,
  scrolled: `scrolled while ${MOVING} move`,
}

/**
 * Compares the real window with `count` transfers in its list with one that has few: how soon it can be used, and how
 * smoothly it draws. Frames are those of the page; memory is what its process and the main process hold in RAM.
 */
export async function measureLongQueue(world, { name, count }, rounds) {
  const lengths = [FEW, count].map((length) => ({ length, runs: [] }))
  const electron = await withWindows(async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const { length, runs } of inTurn(lengths, round)) {
        const run = await openQueue(world, length)
        runs.push(run)
        say(`${name} ${round + 1}/${rounds}  ${length} transfers: usable after ${run.opened.seconds.toFixed(2)} s`)
      }
    }
  })
  if (electron === null) return { rows: [], absent: [{ name: 'app', why: 'there is no Electron' }] }
  const rows = Object.keys(STAGES).flatMap((stage) => lengths.map((each) => rowOf(stage, each)))
  return { rows, absent: [], electron }
}

function rowOf(stage, { length, runs }) {
  return {
    name: stage,
    label: `${length} transfers: ${STAGES[stage]}`,
    isOurs: length !== FEW,
    runs: runs.map((run) => ({ failure: null, ...run[stage] })),
  }
}

async function openQueue(world, length) {
  const scratch = await world.scratch()
  const { launchSluice } = await ofSources('test', 'support', 'window', 'electron-app.ts')
  const userDataDir = join(scratch.path, 'user-data')
  const ids = await fillQueue(userDataDir, length, MOVING)
  const startedMs = performance.now()
  const { app, page, close } = await launchSluice({ userDataDir })
  try {
    await page.locator(`[data-id="${ids[0]}"]`).waitFor()
    const seconds = (performance.now() - startedMs) / 1000
    const opened = { seconds, ...(await memoryOf(app)) }
    const filled = await during(app, page, () => page.waitForFunction(hasRows, length + HEADS, { timeout: 600_000 }))
    await page.evaluate(startNow, ids)
    await page.waitForFunction(hasActive, MOVING, { timeout: 600_000 })
    const moving = await during(app, page, () => sleep(WATCHED_MS))
    const scrolled = await during(app, page, () => page.evaluate(scroll, [SCROLLED_FRAMES, SCROLLED_PIXELS]))
    return { opened, filled: { ...filled, seconds: seconds + filled.seconds }, moving, scrolled }
  } finally {
    await close()
    await scratch.remove()
  }
}

/** How long something takes, the times between the window's frames meanwhile, and the memory afterwards. */
async function during(app, page, work) {
  const watch = await page.evaluateHandle(watchFrames)
  const startedMs = performance.now()
  await work()
  const seconds = (performance.now() - startedMs) / 1000
  const times = (await watch.evaluate((frames) => frames.end())).sort((one, other) => one - other)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { seconds, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1), ...(await memoryOf(app)) }
}

async function memoryOf(app) {
  const bytes = await app.evaluate(residentBytes)
  return { mainBytes: bytes.Browser, windowBytes: bytes.Tab }
}

/** Runs in the main process. */
function residentBytes({ app }) {
  return Object.fromEntries(app.getAppMetrics().map(({ type, memory }) => [type, memory.workingSetSize * 1024]))
}

/** Runs in the window, like those below. */
function watchFrames() {
  const times = []
  let last = performance.now()
  let isOver = false
  const note = (now) => {
    times.push(now - last)
    last = now
    if (!isOver) globalThis.requestAnimationFrame(note)
  }
  globalThis.requestAnimationFrame(note)
  const end = () => {
    isOver = true
    return times
  }
  return { end }
}

function hasRows(count) {
  const { document } = globalThis
  return document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount') === String(count)
}

function hasActive(count) {
  const { document } = globalThis
  return document.querySelector('[data-id="group:active"] button')?.textContent.endsWith(` ${count}`)
}

async function startNow(ids) {
  const reply = await globalThis.sluice.invoke('transfers:start-now', { ids })
  if (!reply.ok) throw new Error(JSON.stringify(reply))
}

async function scroll([frames, pixels]) {
  const { document, requestAnimationFrame } = globalThis
  const scroller = document.querySelector('[role="treegrid"] > [role="presentation"]')
  let step = pixels
  for (let frame = 0; frame < frames; frame += 1) {
    const before = scroller.scrollTop
    scroller.scrollBy(0, step)
    // A short list is scrolled up and down for as many frames as a long one is scrolled down.
    if (scroller.scrollTop === before) step = -step
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
