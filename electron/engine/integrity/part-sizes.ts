import { forEachLimit } from '../async/for-each-limit.ts'

/** At most this many parts are asked about one by one: no object is worth more requests. */
const MAX_QUESTIONS = 1000
/** Beyond this many questions a list is tried first, if there is one: it names 1,000 parts a request. */
const MANY_QUESTIONS = 32
const QUESTIONS_AT_A_TIME = 4

/** What a service can be asked about the parts of an object. */
export interface PartSizeAsker {
  /** Size of a part in bytes; null if the service doesn't tell. */
  sizeOf(partNumber: number): Promise<number | null>
  /** Sizes of all parts in bytes; null if there is no list of them. */
  listed(): Promise<readonly number[] | null>
}

/** Sizes of all parts in bytes, or why they are unknown: the service doesn't tell, or they differ too often. */
export type PartSizes = readonly number[] | 'untold' | 'uneven'

/**
 * Finds the sizes of the `count` parts of an object with few questions: all parts between two of the same size are
 * assumed to have it, too, as long as that adds up to `sizeBytes`. Parts of one size take 3 questions, a change of size
 * some 14 more.
 */
export async function findPartSizes(sizeBytes: number, count: number, asker: PartSizeAsker): Promise<PartSizes> {
  if (count === 1) return [sizeBytes]
  const known = new Map<number, number>()
  let isListTried = false
  for (let asked: readonly number[] = [1]; asked.length > 0; asked = nextQuestions(known, count, sizeBytes)) {
    const questions = known.size + asked.length
    if (questions > MANY_QUESTIONS && !isListTried) {
      isListTried = true
      const listed = await asker.listed()
      if (listed?.length === count && sumOf(listed) === sizeBytes) return listed
    }
    if (questions > MAX_QUESTIONS) return 'uneven'
    await forEachLimit(asked, QUESTIONS_AT_A_TIME, async (partNumber) => {
      known.set(partNumber, (await asker.sizeOf(partNumber)) ?? NaN)
    })
    // A service that ignores the part number gives the size of the whole object.
    if (!asked.every((partNumber) => (known.get(partNumber) ?? NaN) < sizeBytes)) return 'untold'
  }
  const sizes = [...supposedSizes(known, count)]
  return sumOf(sizes) === sizeBytes ? sizes : 'untold'
}

/** The parts to ask about next; none if the known ones tell everything, or no others are left. */
function nextQuestions(known: ReadonlyMap<number, number>, count: number, sizeBytes: number): readonly number[] {
  // The last part may have any size, so the one before it stands for the others.
  const ends = [count - 1, count].filter((partNumber) => !known.has(partNumber))
  if (ends.length > 0) return ends
  const gaps = gapsOf(known)
  const uneven = gaps.filter(({ after, before }) => known.get(after) !== known.get(before))
  if (uneven.length > 0) return uneven.map(middleOf)
  return sumOf([...supposedSizes(known, count)]) === sizeBytes ? [] : gaps.map(middleOf)
}

interface Gap {
  readonly after: number
  readonly before: number
}

function gapsOf(known: ReadonlyMap<number, number>): readonly Gap[] {
  const numbers = [...known.keys()].sort((a, b) => a - b)
  const neighbors = numbers.slice(1).map((before, index) => ({ after: numbers[index] ?? 0, before }))
  return neighbors.filter(({ after, before }) => before - after > 1)
}

function middleOf({ after, before }: Gap): number {
  return Math.floor((after + before) / 2)
}

/** Every unknown part is assumed to have the size of the last known one before it. */
function* supposedSizes(known: ReadonlyMap<number, number>, count: number): Generator<number> {
  let size = 0
  for (let partNumber = 1; partNumber <= count; partNumber += 1) yield (size = known.get(partNumber) ?? size)
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}
