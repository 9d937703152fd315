import type { Transfers } from '../services/index.ts'
import type { Desk } from '../shell/desk/desk.ts'
import type { Desktop } from '../shell/desktop.ts'
import { createNotifier } from '../shell/notifications.ts'
import { watchPower } from '../shell/power.ts'
import { createFolderSign, createTaskbar } from '../shell/taskbar.ts'

/** What the desktop shows of transfers; also keeps it awake for them. */
export type DesktopSigns = Pick<Desk, 'observe' | 'close'>

/** Starts with the current transfers. `reveal` is called when a notification is clicked. */
export function createDesktopSigns(
  { engine, suspend, wake }: Transfers,
  desktop: Desktop,
  reveal: Desk['reveal'],
): DesktopSigns {
  const power = watchPower({ suspend, wake })
  const showProgress = createTaskbar(desktop.iconBar, desktop.iconSigns)
  const showDownloaded = createFolderSign((id) => engine.row(id), desktop.showDownloaded)
  const notifier = createNotifier(engine.snapshot(), desktop.isFocused, (told) => desktop.notify(told, reveal))
  return {
    observe: (delta) => {
      power.observe(delta.totals)
      showProgress(delta.totals)
      showDownloaded(delta)
      notifier.observe(delta)
    },
    close: () => {
      notifier.close()
      power.close()
    },
  }
}
