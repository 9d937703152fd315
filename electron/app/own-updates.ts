import { app } from 'electron'
import { createSystemClock, endThreads } from '../engine/index.ts'
import type { Transfers } from '../services/index.ts'
import { openUpdates, type AppUpdates } from '../services/updates/index.ts'
import { updateBuildPath } from '../shell/debugging.ts'
import type { LogFile } from '../shell/log-file.ts'
import { endProcess } from '../shell/quit/end-process.ts'
import { updateLine } from '../shell/update-line.ts'
import { BUILT_FILES } from './built-files.ts'

const exit = () => void endProcess(endThreads)

/** Newer versions of this copy. A person who has not used it yet is not asked whether it may look for updates. */
export async function openOwnUpdates(
  { isSafe, settings, engine, network }: Transfers,
  onError: LogFile['error'],
): Promise<AppUpdates> {
  const { isPackaged } = app
  return openUpdates(
    {
      buildPath: await updateBuildPath(app, BUILT_FILES, process.env),
      isPackaged,
      line: updateLine(network),
      exit,
      startAgain: (args) => {
        app.relaunch({ args: [...args] })
        exit()
      },
    },
    {
      version: app.getVersion(),
      settings,
      clock: createSystemClock(),
      mayAsk: () => !isSafe && engine.snapshot().rows.length > 0,
      quit: () => app.quit(),
      onError,
    },
  )
}
