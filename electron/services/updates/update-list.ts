// The update server's list of the newest version, accepted only if the makers of Sluice signed it.

import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { UpdateChannel } from '../../../shared/settings.ts'
import { fitting } from '../../parsing/fitting.ts'
import { isVersion } from './version.ts'
import { UpdateError } from './update-error.ts'

const MAX_FILE_BYTES = 2_000_000_000

/** The newest version of a channel for one kind of computer, and the file that installs it. */
export type UpdateList = z.infer<typeof listSchema>

const listSchema = z.strictObject({
  version: z.string().refine(isVersion),
  file: z.strictObject({
    /** The file lies beside the list; nothing in its name can lead elsewhere. */
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/),
    sizeBytes: z.int().min(1).max(MAX_FILE_BYTES),
    /** Base64. */
    sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  }),
})

const envelopeSchema = z.strictObject({
  /** The list as JSON text, because a signature covers bytes. */
  list: z.string().max(65_536),
  /** Ed25519, base64. */
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
})

/** The name of a list below the address of updates. */
export function listName(channel: UpdateChannel, platform: NodeJS.Platform, arch: string): string {
  return `${channel}-${platform}-${arch}.json`
}

/** Reads the built-in key: the DER of its SubjectPublicKeyInfo, base64. Throws unless it is an Ed25519 key. */
export function updateKey(base64: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The update key is not an Ed25519 key.')
  return key
}

/**
 * Reads the list that a server returned for `name`. The name is signed, too, so the list of another channel or kind of
 * computer does not pass. Throws UpdateError `not-genuine` for anything that the key has not signed.
 */
export function readUpdateList(text: string, name: string, key: KeyObject): UpdateList {
  const envelope = fitting(envelopeSchema, jsonOf(text))
  if (envelope === undefined) throw new UpdateError('not-genuine', 'The list of updates has no signature.')
  const signed = Buffer.from(`${name}\n${envelope.list}`)
  if (!verify(null, signed, key, Buffer.from(envelope.signature, 'base64')))
    throw new UpdateError('not-genuine', 'The list of updates is signed by someone else.')
  const list = fitting(listSchema, jsonOf(envelope.list))
  if (list === undefined) throw new UpdateError('not-genuine', 'The list of updates can’t be read.')
  return list
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
