import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { whenHolds } from '../support/tools/when-holds.ts'

/** A folder that another process serves, as a network share is served by a server that can go away. */
export interface Share {
  /** The files in it; none was looked at since the share was mounted. */
  readonly files: readonly string[]
  /** From now on no call is answered. */
  hang(): void
  comeBack(): void
}

/** Mounts one that holds so many files, until the test is over. Null where that is not allowed: it takes bindfs. */
export async function mountShare(folder: string, fileCount: number): Promise<Share | null> {
  const [behind, path] = [join(folder, 'behind'), join(folder, 'share')]
  await Promise.all([behind, path].map((each) => mkdir(each, { recursive: true })))
  const names = Array.from({ length: fileCount }, (_, number) => String(number))
  await Promise.all(names.map((name) => writeFile(join(behind, name), name)))
  const own = await stat(path)
  const server = spawn('bindfs', ['-f', behind, path], { stdio: 'ignore' })
  const isOver = Promise.race([once(server, 'exit'), once(server, 'error')]).then(
    () => true,
    () => true,
  )
  onTestFinished(async () => {
    server.kill('SIGCONT')
    server.kill()
    await isOver
  })
  let hasFailed = false
  void isOver.then(() => (hasFailed = true))
  await whenHolds(async () => expect(hasFailed || (await stat(path)).dev !== own.dev).toBe(true))
  if (hasFailed) return null
  return {
    files: names.map((name) => join(path, name)),
    hang: () => void server.kill('SIGSTOP'),
    comeBack: () => void server.kill('SIGCONT'),
  }
}
