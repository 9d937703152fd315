import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stats } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { statInTurn } from '../../../electron/engine/volumes/stat-in-turn.ts'

/** Whether a look ends by itself: no answer of the share below takes longer than to the next turn of the event loop. */
const settled = (look: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    look.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ])

/** A share that can go away: who looks at its files then waits. */
function createShare() {
  let isAway = false
  let back: () => void = () => undefined
  let away = Promise.resolve()
  const looks: string[] = []
  let most = 0
  let open = 0
  return {
    looks,
    get mostWaiting() {
      return most
    },
    leave() {
      isAway = true
      away = new Promise((resolve) => (back = resolve))
    },
    comeBack() {
      isAway = false
      back()
    },
    async stat(path: string): Promise<Stats> {
      looks.push(path)
      const isHere = path.startsWith('/here')
      if (isAway && !isHere) {
        open += 1
        most = Math.max(most, open)
        await away
        open -= 1
      }
      if (path.endsWith('gone')) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
      return { dev: isHere ? 1 : 2, size: looks.length } as Stats
    },
  }
}

test('files of a share that hangs keep a single look waiting, and those of other volumes none', async () => {
  const share = createShare()
  const look = statInTurn(share.stat)
  const paths = Array.from({ length: 40 }, (_, index) => `/share/${index % 2 === 0 ? 'a' : 'b'}/${index}`)
  await Promise.all([...paths, '/here/three'].map((path) => look(path)))
  share.leave()
  share.looks.length = 0
  const answers = [...paths, ...paths].map((path) => look(path))
  expect(await settled(Promise.race(answers))).toBe(false)
  expect(share.mostWaiting).toBe(1)
  expect(await settled(look('/here/four'))).toBe(true)
  share.comeBack()
  expect(await Promise.all(answers)).toHaveLength(80)
  expect(share.looks.filter((path) => path === '/share/a/4')).toHaveLength(1)
})

test('a link to a share that hangs holds up no file that lies beside it', async () => {
  const share = createShare()
  const look = statInTurn((path) => share.stat(path === '/here/link' ? '/share/film' : path))
  await Promise.all([look('/here/one'), look('/here/link')])
  share.leave()
  const away = look('/here/link')
  expect(await settled(look('/here/one'))).toBe(true)
  share.comeBack()
  await away
})

test('an answer is newer than its question, and a failure is only the asker’s', async () => {
  const share = createShare()
  const look = statInTurn(share.stat)
  const first = look('/share/a/one')
  // The first has begun by now: the second is another one.
  await Promise.resolve()
  const [{ size: one }, { size: two }] = await Promise.all([first, look('/share/a/one')])
  expect(two).toBeGreaterThan(one)
  const [gone, there] = await Promise.allSettled([look('/share/a/gone'), look('/share/a/two')])
  expect(gone).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } })
  expect(there.status).toBe('fulfilled')
})

test('facts come as they are asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stat-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, 'four')
  const look = statInTurn(stat)
  const [exact, usual] = await Promise.all([look(path, { bigint: true }), look(path)])
  expect(exact.size).toBe(4n)
  expect(usual.size).toBe(4)
})
