/* eslint-disable no-restricted-syntax -- files are opened by waiting for the disk: nothing else needs this thread meanwhile */
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { onceFree } from '../../errno/descriptors.ts'
import { forEachBlock, waited } from './canceled-work.ts'
import type { HashReply, Md5Request } from './hash-messages.ts'
import { FIRST_WAIT_MS, giveUp, hashInTurns, isAlone, join, leave } from './md5-company.ts'
import { md5Digest, startMd5 } from './md5-lanes.ts'
import type { Md5Job } from './md5-turns.ts'

/** Jobs that are hashed in turns with others, by the number of the request. */
const inTurns = new Map<number, Md5Job>()

/** Answers a request for the MD5 of a range. */
export async function md5OfRange(id: number, range: Md5Request): Promise<HashReply> {
  join()
  try {
    // Requests made together arrive one after the other, so wait a moment for company.
    if (isAlone() && !(await waited(id, FIRST_WAIT_MS))) return { kind: 'canceled' }
    return isAlone() ? await md5Alone(id, range) : await md5InTurns(id, range)
  } finally {
    leave()
  }
}

async function md5Alone(id: number, range: Md5Request): Promise<HashReply> {
  const hash = createHash('md5')
  const isWhole = await forEachBlock(id, range, (block) => hash.update(block))
  return isWhole ? { kind: 'done', value: hash.digest('hex') } : { kind: 'canceled' }
}

async function md5InTurns(id: number, { path, offset, length }: Md5Request): Promise<HashReply> {
  const file = await onceFree(() => openSync(path, 'r'))
  try {
    const stream = startMd5()
    const range = { file, start: offset, end: offset + length, stream }
    const job = { ...range, isLast: true, copy: null, mayWaitMs: FIRST_WAIT_MS }
    inTurns.set(id, job)
    const isWhole = await hashInTurns(job)
    return isWhole ? { kind: 'done', value: md5Digest(stream) } : { kind: 'canceled' }
  } finally {
    inTurns.delete(id)
    closeSync(file)
  }
}

/** Stops the work on a range that is hashed in turns with others. */
export function giveUpRange(id: number): void {
  const job = inTurns.get(id)
  if (job !== undefined) giveUp(job)
}
