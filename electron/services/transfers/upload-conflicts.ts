import { basename } from 'node:path'
import type { EnqueueUploads } from '../../../shared/ipc/ipc-contract.ts'
import type { BucketAddress } from '../../../shared/ipc/object-requests.ts'
import { message, type Message } from '../../../shared/language/message.ts'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { forEachLimit, headKey, resolveKeyConflict, type Engine } from '../../engine/index.ts'
import { openBucket, placeAt, withRequestErrors, type BucketDeps } from '../places/open-bucket.ts'
import type { ObjectHead } from '../../stores/port/object-store.ts'
import type { ChosenFile } from './chosen-files.ts'

interface ConflictDeps extends Pick<BucketDeps, 'deps'> {
  readonly engine: Pick<Engine, 'snapshot'>
  readonly places: Pick<BucketDeps['places'], 'require' | 'openStore'>
}

/** Files whose keys have objects, with facts about those. Unless `isCertain`, some (null) only may have one. */
export interface TakenFiles {
  readonly files: ReadonlyMap<ChosenFile, TakenBy | null>
  readonly isCertain: boolean
}

/** The facts shown about an object. */
export type TakenBy = Pick<ObjectHead, 'sizeBytes' | 'lastModified'>

/** The files to upload, and one sentence for each that need not be. */
export interface ResolvedFiles {
  readonly files: readonly ChosenFile[]
  readonly skipped: readonly Message[]
}

/** Finds and resolves conflicts between files to upload and objects that have their keys. */
export interface UploadConflicts {
  /** Finds the files whose key has, or may have, an object. Leaves out refused requests: the upload reports those. */
  find(address: BucketAddress, files: readonly ChosenFile[]): Promise<TakenFiles>
  /** Gives files their final keys, with a sentence for each file that need not be uploaded. Throws RequestError. */
  resolve(
    address: BucketAddress,
    files: readonly ChosenFile[],
    onConflict: NonNullable<EnqueueUploads['onConflict']>,
  ): Promise<ResolvedFiles>
}

/** How many keys are looked up at a time. */
const HEADS_AT_A_TIME = 8
/** How long `find` takes at most: a person waits for the sheet. */
const FIRST_LOOK_MS = 3000

export function createUploadConflicts({ engine, places, deps }: ConflictDeps): UploadConflicts {
  return {
    async find(address, files) {
      const late = new AbortController()
      const over = new AbortController()
      const { signal } = late
      const opened = opening(() => openBucket({ places, deps }, address, signal))
      const look = async (key: string) => headKey(await opened, key)
      const found = new Map<ChosenFile, TakenBy | null>()
      const timer = deps.clock.sleep(FIRST_LOOK_MS, over.signal).then(
        () => {
          late.abort(new Error('Looking for conflicts took too long'))
        },
        () => undefined,
      )
      await forEachLimit(files, HEADS_AT_A_TIME, async (file) => {
        const object = await look(file.key).catch(() => (signal.aborted ? 'late' : 'hidden'))
        if (object !== 'hidden' && object !== 'absent') found.set(file, object === 'late' ? null : object)
      })
      over.abort('done')
      await timer
      return { files: found, isCertain: !signal.aborted }
    },
    async resolve(address, files, onConflict) {
      const { id, bucket } = placeAt(places, address)
      const isThere = (row: TransferRow) => row.placeId === id && row.bucket === bucket && row.direction === 'upload'
      const rows = engine.snapshot().rows.filter(isThere)
      const taken = new Set(rows.filter((row) => !isFinal(row.status)).map((row) => row.key))
      const isTaken = (key: string) => taken.has(key)
      const opened = opening(() => openBucket({ places, deps }, address))
      const wanted: ChosenFile[] = []
      const skipped: Message[] = []
      for (const file of files) {
        const name = basename(file.sourcePath)
        const decision = await withRequestErrors(places, address, name, async () =>
          resolveKeyConflict({ ...(await opened), isTaken }, file, onConflict),
        )
        if (decision.kind === 'skip') skipped.push(message('services.skipped.exists', { name: visibleText(name) }))
        else if (decision.kind === 'found')
          skipped.push(message('services.skipped.exists-same', { name: visibleText(name) }))
        else {
          wanted.push({ ...file, key: decision.key })
          taken.add(decision.key)
        }
      }
      return { files: wanted, skipped }
    },
  }
}

/** Opens for all files at once, but fails only for each that uses it: a place may lack its key, as services refuse one. */
function opening<Opened>(open: () => Opened): Promise<Opened> {
  const opened = Promise.resolve().then(open)
  opened.catch(() => undefined)
  return opened
}
