import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ownAppImage } from './app-image.ts'
import { isReplaceable } from './mac-bundle.ts'
import { createPackageUpdater } from './package-updater.ts'
import { fetchList, type UpdateLine } from './fetch-list.ts'
import { readUpdateBuild, type UpdateBuild } from './update-build.ts'
import { NOT_INSTALLED } from './update-error.ts'
import { listName, readUpdateList, updateKey } from './update-list.ts'
import { createUpdates, WITHOUT_UPDATES, type UpdatePackages, type Updates, type UpdatesDeps } from './updates.ts'

interface UpdateProgram {
  /** Path of the file in which the build says where updates come from. */
  readonly buildPath: string
  readonly isPackaged: boolean
  readonly line: UpdateLine
  /** Ends this process at once. */
  readonly exit: () => void
  /** Ends this process at once and starts the program again with these arguments. */
  readonly startAgain: (args: readonly string[]) => void
}

/** The app's updates. Without an address in the build, nothing is ever requested, downloaded or installed. */
export interface AppUpdates extends Updates {
  /** Installs the update that is ready and starts it; called last. */
  readonly installAndRestart: () => Promise<void>
}

/** Opens the updates of this copy as its build says. */
export async function openUpdates(
  program: UpdateProgram,
  deps: Omit<UpdatesDeps, 'host' | 'newest' | 'packages' | 'wasRefused'>,
): Promise<AppUpdates> {
  const { buildPath, line, exit } = program
  const build = await readUpdateBuild(buildPath)
  if (build === null) return { ...WITHOUT_UPDATES, installAndRestart: () => Promise.resolve(exit()) }
  const key = updateKey(build.key)
  const packages = await packagesOf(build, program, deps.onError)
  const updates = createUpdates({
    ...deps,
    host: new URL(build.url).host,
    wasRefused: process.argv.includes(NOT_INSTALLED),
    newest: async (channel) => {
      const name = listName(channel, process.platform, process.arch)
      return readUpdateList(await fetchList(line, new URL(name, build.url).href), name, key)
    },
    packages,
  })
  return { ...updates, installAndRestart: packages?.installAndRestart ?? (() => Promise.resolve(exit())) }
}

/** Returns null when another program owns this copy's files, or the system forbids it to replace itself. */
async function packagesOf(
  build: UpdateBuild,
  { buildPath, isPackaged, line, exit, startAgain }: UpdateProgram,
  onError: UpdatesDeps['onError'],
): Promise<UpdatePackages | null> {
  const { platform, env, argv, execPath } = process
  const appImage = platform === 'linux' ? ownAppImage(env, execPath) : null
  const canReplace: Partial<Record<NodeJS.Platform, () => Promise<boolean>>> = {
    linux: () => (appImage === null ? Promise.resolve(false) : isWritable(dirname(appImage))),
    darwin: () => isReplaceable(execPath),
  }
  if (!build.replacesItself || (await canReplace[platform]?.()) === false) return null
  const { url } = build
  const args = argv.slice(1).filter((word) => word !== NOT_INSTALLED)
  const options = { platform, url, configPath: buildPath, appImage, args, isPackaged, exit, startAgain, onError }
  return createPackageUpdater({ ...options, signIn: line.signIn })
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}
