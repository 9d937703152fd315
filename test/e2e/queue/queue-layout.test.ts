import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { transferError, everyState } from '../../support/fakes/every-state.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { shot } from '../../support/window/desk-window.ts'
import { overlaps } from '../../support/window/overlaps.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const SIZES: readonly (readonly [readonly [number, number], number])[] = [
  [[1080, 720], 1],
  [[800, 600], 1],
  [[640, 480], 1],
  [[1920, 1080], 1],
  [[1080, 720], 1.5],
  [[1080, 720], 2],
  [[640, 480], 2],
]

async function openWindow() {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  return sluice
}

it('lays nothing over each other in any state, at any width and zoom', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  await expectNoOverlaps(sluice, 'queue')
  await page.getByRole('columnheader', { name: 'Name', exact: true }).click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
  const rows = page.locator('[role="row"][aria-level="1"]')
  await expect.poll(() => rows.evaluateAll((all) => Math.max(...all.map((row) => row.clientHeight)))).toBeLessThan(40)
  await expectNoOverlaps(sluice, 'queue-compact')
})

async function expectNoOverlaps(sluice: LaunchedSluice, view: string): Promise<void> {
  const { page } = sluice
  for (const [size, zoom] of SIZES) {
    await resize(sluice, size, zoom)
    // The first states are at the top, the others at the bottom.
    await page
      .locator('[role="treegrid"] > div')
      .first()
      .evaluate((list) => list.scrollTo(0, 0))
    await page.mouse.move(0, 0)
    const name = `${view}-${String(size[0])}x${String(size[1])}-${String(zoom * 100)}`
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `${name}-${colorScheme}`)
    }
    expect(await overlaps(page), name).toEqual([])
  }
}

it('shows each fact of the status bar whole or not at all', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  const facts = page.getByRole('contentinfo').getByTitle(/^3 need you · 4 waiting/)
  const widths = () =>
    facts.evaluate((line) => {
      const end = line.getBoundingClientRect().bottom
      const isSeen = (fact: Element) => fact.getBoundingClientRect().top < end
      const shown = [...line.children].filter(isSeen)
      const cut = shown.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      return {
        seen: shown.length,
        of: line.children.length,
        cut: cut.length,
        over: line.scrollWidth - line.clientWidth,
      }
    })
  for (const [size, zoom] of SIZES) {
    await resize(sluice, size, zoom)
    expect(await widths(), `${String(size)} at ${String(zoom)}`).toMatchObject({ cut: 0, over: 0 })
  }
  // The last of these windows has too little room for all.
  const { seen, of } = await widths()
  expect(seen).toBeGreaterThan(0)
  expect(seen).toBeLessThan(of)
})

it('keeps the sidebar and the inspector of a narrow window at hand', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  // An empty list has nothing to look into.
  expect(await page.getByRole('button', { name: 'Inspector' }).isDisabled()).toBe(true)
  await tellRows(sluice, everyState())
  await resize(sluice, [640, 480])
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  await sidebar.waitFor({ state: 'hidden' })
  // What is cut at the end of the status bar is not what a person is needed for. What is paused is in no sum.
  await page
    .getByRole('contentinfo')
    .getByText(/^3 need you · 4 waiting · 69\.9 GB left · about \d+ min · 1 paused$/)
    .waitFor()
  await page.getByRole('button', { name: 'Sidebar' }).click()
  await sidebar.getByRole('button', { name: /^Paused/ }).click()
  await sidebar.waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: 'paused.mov' }).click()
  const toggle = page.getByRole('button', { name: 'Inspector' })
  expect(await toggle.getAttribute('aria-pressed')).toBe('false')
  await toggle.click()
  await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('true')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('heading', { name: 'paused.mov' }).waitFor()
  await shot(page, 'queue-inspector-drawer')
  // Keys go on in what lies over the list, not beneath it, and back to where they were.
  const hasFocus = (of: Locator) => of.evaluate((element) => element.contains(document.activeElement))
  await page.keyboard.press('Tab')
  expect(await hasFocus(inspector)).toBe(true)
  await page.keyboard.press('Escape')
  await inspector.waitFor({ state: 'hidden' })
  await expect.poll(() => hasFocus(toggle)).toBe(true)
  // What doesn't fit in the toolbar is in its menu.
  await page.getByRole('button', { name: 'More tools' }).click()
  await page.getByRole('menuitem', { name: 'Resume all' }).waitFor()
})

it('shows a short place beside a short name whole', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await page.evaluate(async () => {
    const where = { name: 'Archive', endpoint: 'http://127.0.0.1:9', bucket: 'demo', pathStyle: true, region: '' }
    const who = {
      scheme: 'STORAGE',
      signature: 'none',
      accessKeyId: '',
      secretAccessKey: '',
      sessionToken: '',
    } as const
    await window.sluice.invoke('places:add', {
      ...{ ...where, ...who, profile: '' },
      ...({ dialect: 'storage', preset: 'storage', color: 'none' } as const),
    })
  })
  await page.reload()
  const added = await page.evaluate(() => window.sluice.invoke('places:list', null))
  const placeId = added.ok ? added.value.find(({ name }) => name === 'Archive')?.id : undefined
  if (placeId === undefined) throw new Error('No place.')
  const rows = everyState().map((row, at) => ({ ...row, name: String.fromCharCode(97 + at), placeId }))
  await tellRows(sluice, rows)
  const places = page.getByRole('treegrid', { name: 'Transfers' }).getByText('Archive', { exact: true })
  const cut = () => places.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
  for (const size of [[1080, 900] as const, [640, 480] as const]) {
    await resize(sluice, size)
    await expect.poll(() => places.count()).toBeGreaterThan(3)
    await expect.poll(cut).toBe(0)
    await shot(page, `queue-short-names-${String(size[0])}`)
  }
  await page.getByRole('columnheader', { name: 'Name', exact: true }).click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
  await expect.poll(cut).toBe(0)
  await resize(sluice, [1080, 900])
  await expect.poll(() => places.count()).toBe(rows.length)
  await shot(page, 'queue-short-names-compact')
  await expect.poll(cut).toBe(0)
})

describe('one window, which is told of other rows each time,', () => {
  let userDataDir: string
  let sluice: LaunchedSluice
  let told: readonly TransferRow[] = []

  beforeAll(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'sluice-layout-'))
    sluice = await launchSluice({ userDataDir })
  })

  afterAll(async () => {
    await sluice.close()
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 10 })
  })

  /** Shows these rows and no others, in a window as large as a new one. */
  async function show(rows: readonly TransferRow[]): Promise<Page> {
    await resize(sluice, [1080, 720])
    await tellRows(sluice, [], { instead: told })
    await tellRows(sluice, rows)
    told = rows
    return sluice.page
  }

  it('shows names as they are written, and shortens them in the middle', async () => {
    const arabic = 'تقرير الأداء السنوي.pdf'
    const family = '👨‍👩‍👧‍👦.mp4'
    const long = `Interview ${'with everyone who was there '.repeat(8)}take 2.final.mov`
    const [base] = everyState()
    if (base === undefined) throw new Error('No state.')
    const error = transferError('source-missing')
    const page = await show(
      [arabic, family, long].map((name, at) => ({ ...base, id: `name-${String(at)}`, name, status: 'paused', error })),
    )
    const shown = (name: string) => page.getByRole('row', { name, exact: true }).locator('bdi').textContent()
    expect(await shown(arabic)).toBe(arabic)
    expect(await shown(family)).toBe(family)
    await expect.poll(() => shown(long)).toMatch(/^Interview .*….*al\.mov$/)
    await shot(page, 'queue-names')
  })

  it('says of downloads with one name in which folder each is saved', async () => {
    const rows = ['Downloads', 'Archive'].map((folder): TransferRow => {
      const same = { name: 'same.mov', direction: 'download', localPath: `/home/ada/${folder}/same.mov` } as const
      return { ...(everyState()[0] as TransferRow), ...same, id: folder }
    })
    const page = await show(rows)
    for (const { id } of rows) {
      const arrow = page.locator(`[data-id="${id}"]`).getByRole('img', { name: 'saved in' })
      expect(await arrow.locator('xpath=following-sibling::*').textContent()).toBe(id)
    }
    await shot(page, 'queue-same-names')
  })

  it('shows the name of a done row whole while its words are what is cut', async () => {
    const name = 'Interview with Anna – take 2, final version.mov'
    const [done] = everyState().filter(({ status }) => status === 'completed')
    if (done === undefined) throw new Error('No row.')
    const page = await show([{ ...done, name }])
    const row = page.getByRole('row', { name, exact: true })
    const lackingPx = () =>
      row.locator('bdi').evaluate((shown) => {
        const text = document.createRange()
        text.selectNodeContents(shown)
        return text.getBoundingClientRect().width - shown.getBoundingClientRect().width
      })
    for (const width of [640, 660, 680]) {
      await resize(sluice, [width, 480])
      // Less than a pixel is enough for an ellipsis.
      await expect.poll(lackingPx).toBeLessThanOrEqual(0)
      const words = row.locator('span[title]')
      expect(await words.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
    }
    await shot(page, 'queue-name-whole')
  })

  it('begins the menu of a row with what its button does, and ends it with what throws away', async () => {
    const page = await show(everyState())
    for (const [name, label] of [
      ['failed.mov', 'Continue'],
      ['moving.mov', 'Pause'],
      ['queued.mov', 'Start now'],
      ['waiting.mov', 'Try now'],
      ['paused.mov', 'Resume'],
    ] as const) {
      const row = page.getByRole('row', { name, exact: true })
      await row.hover()
      expect(await row.getByRole('button', { name: label, exact: true }).count(), name).toBe(1)
      await row.click({ button: 'right' })
      const menu = page.getByRole('menu')
      await menu
        .getByRole('menuitem')
        .first()
        .and(menu.getByRole('menuitem', { name: label, exact: true }))
        .waitFor()
      await shot(page, `queue-menu-${name}`)
      const last = menu.locator('[role="separator"]').last().locator('xpath=following-sibling::*')
      expect(await last.allInnerTexts(), name).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Discard (up|down)load…?\n/),
          expect.stringMatching(/^Remove from list…?\n/),
        ]),
      )
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
    }
  })

  it('shows all of a long menu, whole where the window is as high as it opens', async () => {
    const page = await show(everyState())
    // The first is as high as a window that opens has it inside, below its menu bar.
    for (const size of [[1080, 692] as const, [640, 480] as const]) {
      await resize(sluice, size)
      await page.getByRole('row', { name: 'checking.mov' }).click({ button: 'right' })
      const menu = page.getByRole('menu')
      await menu.waitFor()
      const items = menu.getByRole('menuitem')
      expect(await items.count()).toBeGreaterThan(4)
      // What does not apply to the row is not there.
      expect(await menu.locator('[aria-disabled]').count()).toBe(0)
      if (size[1] > 600) expect(await menu.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0)
      // The last is reached by the wheel, and nothing of it lies beyond its panel.
      await items.last().scrollIntoViewIfNeeded()
      await shot(page, `queue-menu-${String(size[0])}`)
      const panel = await menu.locator('xpath=..').boundingBox()
      for (const item of [items.first(), items.last()]) {
        await item.scrollIntoViewIfNeeded()
        const box = await item.boundingBox()
        const isInside =
          box !== null && panel !== null && box.y >= panel.y && box.y + box.height <= panel.y + panel.height
        expect(isInside, `${String(size[0])}: ${(await item.textContent()) ?? ''}`).toBe(true)
      }
      expect(panel !== null && panel.y >= 0 && panel.y + panel.height <= size[1]).toBe(true)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
    }
  })

  it('says beside the inspector why a row waits, and cuts neither when it is tried again nor how much is there', async () => {
    const page = await show(everyState(Date.now() + 12_000))
    for (const [name, words] of [
      ['failed.mov', '6.35 of 12.7 GB'],
      ['waiting.mov', 'trying again in 0:'],
      ['waiting-first.mov', 'trying again in 0:'],
    ] as const) {
      const row = page.getByRole('row', { name, exact: true })
      await row.click()
      await page.getByRole('complementary', { name: 'Inspector' }).waitFor()
      const whole = row.getByText(words).last()
      const spare = await whole.evaluate((element) => {
        const shown = document.createRange()
        shown.selectNodeContents(element)
        const line = element.closest('[role="gridcell"]')?.getBoundingClientRect().right ?? 0
        return line - shown.getBoundingClientRect().right
      })
      expect(spare, name).toBeGreaterThanOrEqual(0)
    }
    await shot(page, 'queue-waiting')
  })

  it('says all of why a transfer failed, and how much is kept, in a narrow window too', async () => {
    const rows = (
      ['source-changed', 'answer-unreadable', 'another-object', 'state-unwritable', 'web-page', 'link-expired'] as const
    ).map((code): TransferRow => {
      const failed = { status: 'failed', error: transferError(code), unitsDone: 635 } as const
      return { ...(everyState()[0] as TransferRow), ...failed, id: code, name: `${code}.mov` }
    })
    const page = await show(rows)
    for (const size of [[800, 600] as const, [720, 480] as const, [640, 480] as const]) {
      await resize(sluice, size)
      for (const { name } of rows) {
        const row = page.getByRole('row', { name, exact: true })
        await row.scrollIntoViewIfNeeded()
        const sentence = row.getByTitle(/\. · 6\.35 of/)
        const where = `${String(size[0])}: ${name}`
        const hidden = await sentence.evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => {
          return [scrollHeight - clientHeight, scrollWidth - clientWidth]
        })
        expect(hidden, where).toEqual([0, 0])
        expect(await row.getByText('6.35 of 12.7 GB').last().evaluate(isInRow), where).toBe(true)
        expect(await row.getByRole('progressbar').count(), where).toBe(1)
      }
      await shot(page, `queue-failed-${String(size[0])}`)
    }
    expect(await overlaps(page)).toEqual([])
  })

  it('shows the whole time left of a folder beside the inspector, however much there is to say', async () => {
    const page = await show(everyState())
    const row = page.getByRole('row', { name: 'folder-moving.mov', exact: true })
    await row.click()
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('folder-moving.mov').first().waitFor()
    const time = row.getByText('1 h 30 min')
    await expect.poll(() => time.evaluate(isDrawnWhole)).toBe(true)
    await shot(page, 'queue-time-left')
  })

  it('says as much of what is under way as fits, and never at the cost of what is there', async () => {
    const amounts = { sizeBytes: 20_000_000, confirmedBytes: 0, inFlightBytes: 4_600_000, unitsDone: 0, unitsTotal: 4 }
    const slow = { ...everyState()[0], ...amounts, name: 'slow.mov', bytesPerSecond: 151_000, etaSeconds: 102 }
    const page = await show([slow as TransferRow])
    const row = page.getByRole('row', { name: 'slow.mov', exact: true })
    for (const [width, words] of [
      [1080, '4.60 MB under way'],
      [720, '+4.60 MB'],
    ] as const) {
      await resize(sluice, [width, 600])
      for (const text of ['0 of 20.0 MB', words]) {
        const shown = row.getByText(text)
        await expect.poll(() => shown.evaluate(isDrawnWhole), { message: `${String(width)}: ${text}` }).toBe(true)
      }
      await shot(page, `queue-under-way-${String(width)}`)
    }
    // Who hears the list is told the same at any width.
    const said = (await row.getAttribute('aria-describedby'))?.split(' ').at(-1) ?? ''
    await page.getByText('0 of 20.0 MB').waitFor()
    expect(await page.locator(`[id="${said}"]`).textContent()).toContain('4.60 MB under way')
  })

  it('cuts no number of a compact row, however narrow it is and whatever its name', async () => {
    const rows = bigRows()
    const page = await show(rows)
    const speak = (language: 'en' | 'zh-CN') =>
      page.evaluate((chosen) => window.sluice.invoke('settings:set', { language: chosen }), language)
    const toggleCompact = async () => {
      await page.getByRole('columnheader').first().click({ button: 'right' })
      await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
    }
    await toggleCompact()
    for (const language of ['en', 'zh-CN'] as const) {
      await speak(language)
      for (const width of [720, 800, 960]) {
        await resize(sluice, [width, 700])
        await shot(page, `queue-compact-${language}-${String(width)}`)
        for (const { id } of rows) {
          const seen = await page.locator(`[data-id="${id}"] [id$="-status"] [title] > span`).evaluateAll(seenOf)
          const where = `${language}, ${String(width)}: ${id}`
          expect(seen.length, where).toBeGreaterThan(0)
          expect(
            seen.filter(({ isCut }) => isCut),
            where,
          ).toEqual([])
        }
      }
    }
    await speak('en')
    await toggleCompact()
  })

  it('shortens long names so that they fit with their extensions, at any width', async () => {
    const name = `${'x'.repeat(200)}.mov`
    const row = { ...everyState()[0], id: 'long', name } as ReturnType<typeof everyState>[number]
    const page = await show([row])
    const shown = page.locator('[data-id="long"] bdi').first()
    for (let width = 700; width < 720; width += 1) {
      await resize(sluice, [width, 600])
      await expect.poll(() => shown.evaluate(tooWideBy), { message: String(width) }).toBeLessThan(0.02)
    }
    expect(await shown.textContent()).toMatch(/^x+…x{4}\.mov$/)
  })
})

/** Rows with the biggest numbers that there are, each with a short name and a long one. */
function bigRows(): readonly TransferRow[] {
  const long = `Interview ${'with everyone who was there '.repeat(4)}take 2.final.mov`
  const big = { sizeBytes: 1_230_000_000_000, confirmedBytes: 123_400_000_000, bytesPerSecond: 12_300_000 }
  const items = { done: 212, total: 1204, failed: 3, isCounted: true }
  const moving = { status: 'transferring', etaSeconds: 86_340 } as const
  const done = { status: 'completed', confirmedBytes: big.sizeBytes, activeMs: 86_340_000, finishedAtMs: 1 } as const
  const states: readonly Partial<TransferRow>[] = [
    moving,
    { ...moving, direction: 'upload', inFlightBytes: 46_000_000, unitsTotal: 40 },
    { ...moving, items },
    { status: 'paused' },
    { status: 'paused', items },
    { ...done, verification: 'etag-md5' },
  ]
  return states.flatMap((state, at) =>
    ['a.mov', long].map((name) => {
      const id = `${String(at)}-${String(name.length)}`
      return { ...everyState()[0], ...big, items: null, ...state, id, name } as TransferRow
    }),
  )
}

/** The facts of a row that are seen, and whether they are cut off. */
function seenOf(facts: readonly Element[]): readonly { readonly text: string; readonly isCut: boolean }[] {
  return facts.flatMap((fact) => {
    // What is only for screen readers lies above the line.
    const isSeen = (text: Element) => getComputedStyle(text).position !== 'absolute'
    const [line, box] = [fact.parentElement?.getBoundingClientRect(), fact.getBoundingClientRect()]
    if (line === undefined || box.top >= line.bottom || box.width === 0) return []
    const texts = [...fact.querySelectorAll('span')].filter(isSeen)
    const right = Math.max(...texts.map((text) => text.getBoundingClientRect().right))
    const isCut = right > box.right + 0.5 || box.right > line.right + 0.5 || box.left < line.left - 0.5
    return [{ text: fact.textContent, isCut }]
  })
}

/** Whether all of a text is seen in the box that would cut it off. */
function isDrawnWhole(text: Element): boolean {
  const words = document.createRange()
  words.selectNodeContents(text)
  const [drawn, box] = [words.getBoundingClientRect(), text.closest('[title]')?.getBoundingClientRect()]
  if (box === undefined || drawn.width <= 20) return false
  return drawn.right < box.right + 0.02 && drawn.left > box.left - 0.02 && drawn.top < box.bottom
}

/** Whether a text is seen, and lies within its row. */
function isInRow(text: Element): boolean {
  const words = document.createRange()
  words.selectNodeContents(text)
  const [drawn, row] = [words.getBoundingClientRect(), text.closest('[role="row"]')?.getBoundingClientRect()]
  if (row === undefined || getComputedStyle(text).position === 'absolute') return false
  return drawn.left >= row.left && drawn.right <= row.right && drawn.top >= row.top && drawn.bottom <= row.bottom
}

/** How much wider a text is than the box that it is in, pixels. */
function tooWideBy(box: Element): number {
  const text = document.createRange()
  text.selectNodeContents(box)
  return text.getBoundingClientRect().width - box.getBoundingClientRect().width
}
