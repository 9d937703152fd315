import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ownAppImage } from './app-image.ts'
import { createPackageUpdater } from './package-updater.ts'
import { fetchList, type UpdateLine } from './fetch-list.ts'
import { readUpdateBuild, type UpdateBuild } from './update-build.ts'
import { listName, readUpdateList, updateKey } from './update-list.ts'
import { createUpdates, WITHOUT_UPDATES, type UpdatePackages, type Updates, type UpdatesDeps } from './updates.ts'

interface UpdateProgram {
  /** Path of what the build says of updates. */
  readonly buildPath: string
  readonly isPackaged: boolean
  readonly line: UpdateLine
  /** Ends this process at once. */
  readonly exit: () => void
}

/** What is asked, downloaded and installed; without an address in the build nothing ever is. */
export interface AppUpdates extends Updates {
  /** Installs what is ready and starts it; called last. */
  readonly installAndRestart: () => Promise<void>
}

/** Opens the updates of this copy, as its build says. */
export async function openUpdates(
  program: UpdateProgram,
  deps: Omit<UpdatesDeps, 'host' | 'newest' | 'packages'>,
): Promise<AppUpdates> {
  const { buildPath, line, exit } = program
  const build = await readUpdateBuild(buildPath)
  if (build === null) return { ...WITHOUT_UPDATES, installAndRestart: () => Promise.resolve(exit()) }
  const key = updateKey(build.key)
  const packages = await packagesOf(build, program, deps.onError)
  const updates = createUpdates({
    ...deps,
    host: new URL(build.url).host,
    newest: async (channel) => {
      const name = listName(channel, process.platform, process.arch)
      return readUpdateList(await fetchList(line, new URL(name, build.url).href), name, key)
    },
    packages,
  })
  return { ...updates, installAndRestart: packages?.installAndRestart ?? (() => Promise.resolve(exit())) }
}

/** Null where another program owns the files of this copy, or the system forbids it to replace itself. */
async function packagesOf(
  build: UpdateBuild,
  { buildPath, isPackaged, line, exit }: UpdateProgram,
  onError: UpdatesDeps['onError'],
): Promise<UpdatePackages | null> {
  const { platform, env, argv, execPath } = process
  const appImage = platform === 'linux' ? ownAppImage(env, execPath) : null
  const canReplace = platform === 'linux' ? appImage !== null && (await isWritable(dirname(appImage))) : true
  if (!build.replacesItself || !canReplace) return null
  const { url } = build
  const options = { platform, url, configPath: buildPath, appImage, args: argv.slice(1), isPackaged, exit, onError }
  return createPackageUpdater({ ...options, signIn: line.signIn })
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}
