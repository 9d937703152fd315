import { Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import { join } from 'node:path'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import { createTrayRows, TRAY_STATES, trayModel, type TrayModel } from './tray-model.ts'
import { t } from '../../../shared/language/translate.ts'

export interface TrayActions {
  readonly show: () => void
  /** Shows the window with this transfer selected. */
  readonly reveal: (id: TransferId) => void
  readonly pauseAll: () => void
  readonly resumeAll: () => void
  readonly quit: () => void
}

export interface TrayIcon {
  readonly show: (model: TrayModel) => void
  readonly close: () => void
}

/** Puts an icon into the menu bar or notification area. On a desktop without one, the icon is simply invisible. */
export function createTrayIcon(folder: string, platform: NodeJS.Platform, actions: TrayActions): TrayIcon {
  const images = Object.fromEntries(TRAY_STATES.map((state) => [state, imageOf(folder, state, platform)]))
  let tray: Tray | null = null
  let shown = ''

  function show(model: TrayModel): void {
    const template = trayTemplate(model, platform, actions)
    // JSON omits the click handlers; the texts change with the model and the language.
    const text = JSON.stringify([model.state, template])
    if (text === shown) return
    shown = text
    const image = images[model.state] ?? nativeImage.createEmpty()
    if (tray === null) {
      tray = new Tray(image)
      // On a Mac, a click opens the menu.
      if (platform !== 'darwin') tray.on('click', actions.show)
    } else {
      tray.setImage(image)
    }
    tray.setToolTip(`Sluice\n${model.headline}`)
    tray.setContextMenu(Menu.buildFromTemplate(template))
  }

  return {
    show,
    close: () => {
      tray?.destroy()
      tray = null
      shown = ''
    },
  }
}

/** The icon is updated at most this often, milliseconds. */
const FOLLOW_EVERY_MS = 2000

export interface FollowingTray {
  readonly observe: (delta: TransferDelta) => void
  readonly show: (isWanted: boolean) => void
  readonly close: () => void
}

/** Keeps the icon in step with the queue. A desktop that refuses the icon once is not asked again. */
export function followWithTray(
  start: TransferSnapshot,
  icon: TrayIcon,
  onError: (what: string, error: unknown) => void,
): FollowingTray {
  const rows = createTrayRows(start)
  let { totals } = start
  let isWanted = false
  let timer: NodeJS.Timeout | null = null

  function draw(): void {
    timer = null
    if (!isWanted) return
    try {
      icon.show(trayModel(totals, rows.active()))
    } catch (error) {
      isWanted = false
      onError('tray', error)
    }
  }

  return {
    observe: (delta) => {
      rows.observe(delta)
      totals = delta.totals
      if (isWanted) timer ??= setTimeout(draw, FOLLOW_EVERY_MS)
    },
    show: (wanted) => {
      const wasWanted = isWanted
      isWanted = wanted
      // Draws even if already shown, because the language may have changed.
      if (wanted) draw()
      else if (wasWanted) icon.close()
    },
    close: () => {
      if (timer !== null) clearTimeout(timer)
      icon.close()
    },
  }
}

/** The menu of the icon. Pure. */
function trayTemplate(
  { headline, nearest, canPause, canResume }: TrayModel,
  platform: NodeJS.Platform,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const separator = { type: 'separator' } as const
  return [
    { label: headline, enabled: false },
    ...nearest.map(({ id, label }) => ({ label: label.replaceAll('&', '&&'), click: () => actions.reveal(id) })),
    separator,
    { label: t('shell.tray.pause-all'), enabled: canPause, click: actions.pauseAll },
    { label: t('shell.tray.resume-all'), enabled: canResume, click: actions.resumeAll },
    separator,
    { label: t('shell.tray.show'), click: actions.show },
    { label: t(platform === 'win32' ? 'shell.menu.exit' : 'shell.menu.quit'), click: actions.quit },
  ]
}

/** Sizes of the icon in pixels at 100 %, 150 % and 200 %. */
const SIDES: Partial<Record<NodeJS.Platform, readonly [number, number, number]>> = { win32: [16, 24, 32] }
const OTHER_SIDES = [24, 36, 48] as const

/** macOS colors the shape to match its menu bar; elsewhere the icon has its own colors. */
function imageOf(folder: string, state: TrayModel['state'], platform: NodeJS.Platform): NativeImage {
  if (platform === 'darwin') {
    const image = nativeImage.createFromPath(join(folder, `${state}Template.png`))
    image.setTemplateImage(true)
    return image
  }
  const image = nativeImage.createEmpty()
  for (const [index, side] of (SIDES[platform] ?? OTHER_SIDES).entries()) {
    const buffer = nativeImage.createFromPath(join(folder, `${state}-${side}.png`)).toPNG()
    image.addRepresentation({ width: side, height: side, scaleFactor: 1 + index / 2, buffer })
  }
  return image
}
