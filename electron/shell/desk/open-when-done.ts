import { z } from 'zod'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { NamedValues } from '../../services/persistence/named-values.ts'

const NAME = 'open-when-done'
const kept = z.array(z.uuid())

/** Which downloads are opened once they are done; survives a restart. */
export interface OpenWhenDone {
  readonly ids: () => readonly TransferId[]
  readonly set: (ids: readonly TransferId[], opens: boolean) => void
  readonly observe: (delta: TransferDelta) => void
}

export interface OpenWhenDoneDeps {
  readonly values: NamedValues
  readonly open: (id: TransferId) => Promise<void>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export function createOpenWhenDone({ values, open, onChange, onError }: OpenWhenDoneDeps): OpenWhenDone {
  const wanted = new Set<TransferId>()
  let writing = values.read(NAME, kept).then((ids) => {
    for (const id of ids ?? []) wanted.add(id)
    if (wanted.size > 0) onChange()
  })
  writing.catch(onError)

  function changed(): void {
    writing = writing.catch(() => undefined).then(() => values.write(NAME, [...wanted]))
    writing.catch(onError)
    onChange()
  }

  return {
    ids: () => [...wanted],
    set: (ids, opens) => {
      for (const id of ids) {
        if (opens) wanted.add(id)
        else wanted.delete(id)
      }
      changed()
    },
    observe: ({ patched, removed }) => {
      if (wanted.size === 0) return
      const done = patched.filter(({ id, status }) => status === 'completed' && wanted.has(id)).map(({ id }) => id)
      const gone = [...done, ...removed].filter((id) => wanted.delete(id))
      for (const id of done) open(id).catch(onError)
      if (gone.length > 0) changed()
    },
  }
}
