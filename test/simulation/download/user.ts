import type { DownloadRequest } from '../../../electron/engine/index.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { ROOT, type World } from './world.ts'

/** No object takes longer on a line, or is larger (milliseconds, bytes). */
const MOST_LINE_MS = 15_000
const MOST_BYTES = 60_000
/** Of those objects, so many have a connection that falls silent. */
const SILENT_SHARE = 0.25

/** A download that was asked for. */
export interface Wish {
  readonly key: string
  readonly atMs: number
}

/** A person who does this and that, while the machine and the service have troubles of their own. */
export class User {
  readonly pendingActions: Wish[] = []
  readonly #world: World
  readonly #targets: string[] = []
  readonly #crashShare: number

  constructor(world: World) {
    this.#world = world
    this.#crashShare = world.random.pick([0, 0.1, 0.3])
    for (let number = 1; number <= 2 + world.random.below(3); number += 1) {
      this.#targets.push(`${ROOT}/file-${number}.bin`)
      if (!world.isHonest) world.service.create(`key-${number}`)
      else createOnLine(world, `key-${number}`)
    }
  }

  /** Does one thing at random. */
  act(): void {
    const { random, running } = this.#world
    if (random.chance(this.#crashShare)) this.#machine()
    else if (random.chance(0.4)) this.#surroundings()
    else if (running?.isReady === true) this.#command()
  }

  /** Adds a download of every object. */
  enqueueAll(): Promise<unknown> {
    const { running, service, timeline } = this.#world
    const requests = [...service.objects.keys()].map((key, index): DownloadRequest => {
      this.pendingActions.push({ key, atMs: timeline.nowMs })
      const targetPath = this.#targets[index] as string
      return { location: { kind: 'place', placeId: 'place-1', bucket: 'media' }, key, targetPath, onConflict: 'fail' }
    })
    return running?.engine.enqueueDownloads(requests) ?? Promise.resolve()
  }

  /** Adds downloads of objects, each to the file that belongs to it. */
  enqueue(): void {
    const { random, running, service, timeline, oracle } = this.#world
    const numbers = [...service.objects.keys()].map((_, index) => index)
    const requests = numbers
      .filter(() => random.chance(0.6))
      .map((index): DownloadRequest => {
        const onConflict = random.pick(['keep-both', 'keep-both', 'replace', 'fail'] as const)
        const targetPath = random.chance(0.9) ? (this.#targets[index] as string) : (this.#targets[0] as string)
        const key = `key-${index + 1}`
        if (onConflict === 'replace') oracle.replaceable.add(targetPath)
        this.pendingActions.push({ key, atMs: timeline.nowMs })
        return { location: { kind: 'place', placeId: 'place-1', bucket: 'media' }, key, targetPath, onConflict }
      })
    this.#do(`enqueue ${requests.map(({ key, onConflict }) => `${key} ${onConflict}`).join()}`, () =>
      running?.engine.enqueueDownloads(requests),
    )
  }

  #command(): void {
    const { random, running } = this.#world
    const engine = running?.engine
    if (running === null || engine === undefined) return
    const rows = engine.snapshot().rows
    const ids = random.chance(0.3) || rows.length === 0 ? ('all' as const) : [random.pick(rows).id]
    const of = (status: TransferRow['status']) => rows.filter((row) => row.status === status).map((row) => row.id)
    const acts: readonly (() => void)[] = [
      () => this.#do('pause', () => engine.pause(ids)),
      () => this.#do('resume', () => engine.resume(ids)),
      () => this.#do('resume', () => engine.resume('all')),
      () => this.#do('retry', () => engine.retry('all')),
      () => this.#do('retry', () => engine.retry(of('failed'))),
      () => {
        const chosen = ids === 'all' ? of('failed') : ids
        this.#world.oracle.beginAnew(chosen)
        this.#do('startOver', () => engine.startOver(chosen))
      },
      () => this.#do('cancel', () => engine.cancel(ids === 'all' ? of('failed') : ids)),
      () => this.#do('remove', () => engine.remove(of('completed').slice(0, 1))),
      () => this.enqueue(),
      () => this.#do('suspend', () => engine.suspend().then(() => engine.wake())),
      () =>
        this.#world.configure({
          limits: { ...NO_LIMITS, totalBytesPerSecond: random.pick([null, null, 20_000, 100_000]) },
        }),
      () => this.#world.configure({ activeTransfers: random.below(3) + 1 }),
    ]
    random.pick(acts)()
  }

  #surroundings(): void {
    const { random, faults, service, running, wall, trace } = this.#world
    const acts: readonly (() => void)[] = [
      () => service.replace(random.pick([...service.objects.keys()])),
      () => service.replace(random.pick([...service.objects.keys()])),
      () => this.#world.putUsersFile(random.pick(this.#targets)),
      () => {
        faults.isDiskFull = !faults.isDiskFull
      },
      () => {
        faults.isReadOnly = !faults.isReadOnly && random.chance(0.3)
      },
      () => running?.store.dropConnections(),
      () => {
        wall.offsetMs += random.pick([-3_600_000, 86_400_000, 10_000])
      },
    ]
    const index = random.below(acts.length)
    trace.note(`surroundings ${index}`)
    acts[index]?.()
  }

  #machine(): void {
    const world = this.#world
    const { running, random } = world
    if (running === null) return
    if (running.isReady && random.chance(0.2)) {
      running.isReady = false
      this.#do('close', () =>
        running.engine.close().then(() => (world.running === running ? world.closed() : undefined)),
      )
    } else world.crash(random.chance(0.5))
  }

  /** A command may fail where the disk does; it must not hang, which `idle` tells. */
  #do(name: string, command: () => Promise<unknown> | undefined): void {
    const { trace } = this.#world
    trace.note(`user ${name}`)
    Promise.resolve(command()).then(
      () => trace.note(`done ${name}`),
      (failure: unknown) => trace.note(`${name} failed: ${String(failure)}`),
    )
  }
}

/** An object of which, now and then, one connection brings no more than a part, and then nothing at all. */
function createOnLine(world: World, key: string): void {
  const { random, service } = world
  const sizeBytes = sizeOnLine(world)
  const isSilent = random.chance(SILENT_SHARE)
  service.createPlain(key, sizeBytes, isSilent ? Math.floor(random.between(0.5, 1) * sizeBytes) : null)
}

/** As much as the line carries in a while (bytes). */
function sizeOnLine({ random, line }: World): number {
  return Math.ceil(Math.min(MOST_BYTES, (line.down.terms.bytesPerSecond * random.between(2000, MOST_LINE_MS)) / 1000))
}
