import type { Engine, UploadRequest } from '../../../electron/engine/index.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { SOURCES, type UploadWorld } from './upload-world.ts'

/** How long a file takes on a line, but for those that have several parts on any line (milliseconds, bytes). */
const LEAST_LINE_MS = 2000
const MOST_LINE_MS = 15_000
const SEVERAL_PARTS_BYTES = 40_000
const MOST_BYTES = 60_000

/** Failures that show a person the object. */
const IN_SIGHT: ReadonlySet<string> = new Set(['conflict-on-server', 'final-mismatch', 'outcome-unknown'])

/** A person who uploads files, and whose machine, files and service have troubles of their own. */
export class UploadUser {
  readonly #world: UploadWorld
  readonly #crashShare: number
  readonly #keys: string[] = []

  constructor(world: UploadWorld) {
    const { random, sources, service } = world
    this.#world = world
    this.#crashShare = random.pick([0, 0.1, 0.3])
    for (let number = 1; number <= 1 + random.below(3); number += 1) {
      const path = `${SOURCES}/film-${number}.mov`
      const key = `key-${number}`
      this.#keys.push(key)
      if (world.isHonest) {
        const sizeBytes = sizeOnLine(world)
        sources.create(path, sizeBytes)
        world.account.expects(key, sizeBytes)
        continue
      }
      sources.create(path)
      if (random.chance(0.3)) service.putByOther(key, Buffer.from(`before ${number}`))
    }
  }

  /** Does one thing at random. */
  act(): void {
    const { random, running } = this.#world
    if (random.chance(this.#crashShare)) this.#machine()
    else if (random.chance(0.4)) this.#surroundings()
    else if (running?.isReady === true) this.#command()
  }

  /** Adds an upload of every file. */
  enqueueAll(): Promise<unknown> {
    const { running, sources } = this.#world
    const requests = sources.paths.map((sourcePath, index): UploadRequest => {
      const key = this.#keys[index] as string
      return { location: { kind: 'place', placeId: 'place-1', bucket: 'media' }, key, sourcePath, onConflict: 'fail' }
    })
    return running?.engine.enqueueUploads(requests) ?? Promise.resolve()
  }

  /** Adds uploads, each to the key that belongs to its file or to the first one. */
  enqueue(): void {
    const { random, running, sources } = this.#world
    const requests = sources.paths
      .map((sourcePath, index): UploadRequest => {
        const key = this.#keys[random.chance(0.9) ? index : 0] as string
        const onConflict = random.pick(['replace', 'fail'] as const)
        return { location: { kind: 'place', placeId: 'place-1', bucket: 'media' }, key, sourcePath, onConflict }
      })
      .filter(() => random.chance(0.6))
    this.#do(`enqueue ${requests.map(({ key }) => key).join()}`, () => running?.engine.enqueueUploads(requests))
  }

  /** A file that was uploaded became another, and is uploaded anew. */
  startOverChanged(engine: Engine, rows: readonly TransferRow[]): Promise<void> {
    for (const path of new Set(rows.map(({ localPath }) => localPath))) this.#world.sources.change(path)
    return this.#startOver(
      engine,
      rows.map(({ id }) => id),
    )
  }

  /** In sight of an object that has the key, it is the word that this one may be replaced, written down or not. */
  #startOver(engine: Engine, ids: readonly TransferId[]): Promise<void> {
    for (const { id, status, error } of engine.snapshot().rows) {
      if (status === 'completed' && ids.includes(id)) this.#world.oracle.startedOver(id)
      const isInSight = status === 'failed' && IN_SIGHT.has(error?.code ?? '')
      if (isInSight && ids.includes(id)) this.#world.oracle.mayReplace(id)
    }
    // Where that can't be written down, a kill leaves no more of it than what was to be thrown away.
    this.#world.oracle.unwanted(ids)
    return engine.startOver(ids)
  }

  #dismiss(how: 'cancel' | 'remove', ids: readonly TransferId[], engine: Engine): void {
    this.#world.oracle.unwanted(ids)
    this.#do(how, () => engine[how](ids))
  }

  #command(): void {
    const { random, running } = this.#world
    const engine = running?.engine
    if (engine === undefined) return
    const rows = engine.snapshot().rows
    const ids = random.chance(0.3) || rows.length === 0 ? ('all' as const) : [random.pick(rows).id]
    const of = (status: TransferRow['status']) => rows.filter((row) => row.status === status).map((row) => row.id)
    const questions = rows.filter((row) => row.error?.code === 'earlier-upload').map((row) => row.id)
    const acts: readonly (() => void)[] = [
      () => this.#do('pause', () => engine.pause(ids)),
      () => this.#do('resume', () => engine.resume('all')),
      () => this.#do('resume', () => engine.resume('all')),
      () => this.#do('retry', () => engine.retry('all')),
      () => this.#do('retry', () => engine.retry(of('failed'))),
      () => this.#do('startOver', () => this.#startOver(engine, ids === 'all' ? of('failed') : ids)),
      () => {
        const uploaded = rows.filter(({ status }) => status === 'completed')
        if (uploaded.length > 0)
          this.#do('startOver, changed', () => this.startOverChanged(engine, [random.pick(uploaded)]))
      },
      () => this.#dismiss('cancel', ids === 'all' ? of('failed') : ids, engine),
      () => this.#dismiss('remove', of(random.pick(['completed', 'failed'])).slice(0, 1), engine),
      () => this.#do('decide', () => Promise.all(questions.map((id) => engine.decideUpload(id, null)))),
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
    const { random, service, sources, wall, trace, timeline } = this.#world
    const path = random.pick(sources.paths)
    const key = random.pick(this.#keys)
    const acts: readonly (() => void)[] = [
      () => sources.change(path),
      () => sources.restore(path),
      () => sources.toggle(path),
      () => timeline.at(random.between(0, 20_000), () => sources.heal()),
      // Another client writes the key, throws an upload away, or begins one of its own.
      () => service.putByOther(key, Buffer.from(`theirs at ${timeline.nowMs}`)),
      () => {
        const open = [...service.uploads.values()].filter((upload) => upload.pending === 0)
        if (open.length > 0) service.uploads.delete(random.pick(open).uploadId)
      },
      () => service.create(key),
      () => {
        wall.offsetMs += random.pick([-3_600_000, 86_400_000, 10_000])
      },
    ]
    const index = random.below(acts.length)
    trace.note(`surroundings ${index} ${path} ${key}`)
    acts[index]?.()
  }

  #machine(): void {
    const world = this.#world
    const { running, random } = world
    if (running === null) return
    if (running.isReady && random.chance(0.2)) {
      running.isReady = false
      this.#do('close', () =>
        running.engine.close().then(() => {
          if (world.running !== running) return
          world.oracle.processEnded()
          world.closed()
        }),
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

function sizeOnLine({ random, line }: UploadWorld): number {
  const bytes = (line.up.terms.bytesPerSecond * random.between(LEAST_LINE_MS, MOST_LINE_MS)) / 1000
  const leastBytes = random.chance(0.5) ? SEVERAL_PARTS_BYTES : 0
  return Math.ceil(Math.min(MOST_BYTES, Math.max(leastBytes, bytes)))
}
