import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_PART_COUNT, MIB, MIN_PART_SIZE_BYTES, SINGLE_PUT_MAX_BYTES } from '../../../shared/limits.ts'
import { tellsRate } from '../../../electron/engine/integrity/short-last-part.ts'
import { partRange, planUpload, plannedPartSize } from '../../../electron/engine/multipart/part-plan.ts'

const TIB = MIB * MIB
/** The least that is larger than 5 MiB, in whole sixteenths of a MiB. */
const LEAST = 5 * MIB + MIB / 16
const MAX_OBJECT_BYTES = 5 * TIB

function parts(sizeBytes: number, partSizeBytes: number | null = null): readonly number[] {
  const plan = planUpload(sizeBytes, { partSizeBytes })
  return Array.from({ length: plan.partCount }, (_, index) => plannedPartSize(plan, sizeBytes, index + 1) ?? -1)
}

function expectValid(sizeBytes: number, partSizeBytes: number | null): void {
  const plan = planUpload(sizeBytes, { partSizeBytes })
  if (plan.partCount === 0) {
    expect(sizeBytes).toBeLessThanOrEqual(SINGLE_PUT_MAX_BYTES)
    return
  }
  expect(plan.partCount).toBeLessThanOrEqual(MAX_PART_COUNT)
  if (plan.partCount > 1) expect(plan.partSizeBytes).toBeGreaterThan(MIN_PART_SIZE_BYTES)
  const last = partRange(plan, sizeBytes, plan.partCount)
  expect(last.end).toBe(sizeBytes)
  expect(last.end - last.start).toBeGreaterThan(0)
  expect(last.start).toBe((plan.partCount - 1) * plan.partSizeBytes)
  expect(plannedPartSize(plan, sizeBytes, plan.partCount + 1)).toBeNull()
}

describe('plans by size', () => {
  test('T62: small files go up in one piece, an empty one included', () => {
    for (const sizeBytes of [0, 1, 5 * MIB, 5 * MIB + 1, SINGLE_PUT_MAX_BYTES]) expect(parts(sizeBytes)).toEqual([])
  })

  test('a file of just the size that parts were asked for goes up in one piece', () => {
    expect(parts(SINGLE_PUT_MAX_BYTES, SINGLE_PUT_MAX_BYTES)).toEqual([])
    expect(parts(SINGLE_PUT_MAX_BYTES, SINGLE_PUT_MAX_BYTES - 1)).toEqual([SINGLE_PUT_MAX_BYTES - 1, 1])
  })

  test('a file is refused only where the largest parts can’t hold it', () => {
    const service = { partSizeBytes: null, maxPartCount: 100, maxPartSizeBytes: 8 * MIB }
    expect(planUpload(800 * MIB, service)).toEqual({ partSizeBytes: 8 * MIB, partCount: 100 })
    expect(() => planUpload(800 * MIB + 1, service)).toThrow('more than 100 parts')
  })

  test('while the line is unknown, parts are as small as the service allows', () => {
    expect(parts(15 * MIB)).toEqual([LEAST, LEAST, 15 * MIB - 2 * LEAST])
    const slow = { partSizeBytes: null, uplinkBytesPerSecond: 1 }
    expect(planUpload(10_000 * LEAST, slow)).toEqual({ partSizeBytes: LEAST, partCount: 10_000 })
  })

  test('while the line is unknown, the last part is short where others that are a fifth larger make it so', () => {
    const unknown = { partSizeBytes: null }
    const sizes = Array.from({ length: 1000 }, (_, index) => 16 * MIB + index * 12_345_678)
    const short = sizes.filter((sizeBytes) => tellsRate(parts(sizeBytes).at(-1) ?? 0))
    expect(short.length).toBeGreaterThan(950)
    for (const sizeBytes of sizes) {
      expect(planUpload(sizeBytes, unknown).partSizeBytes).toBeLessThanOrEqual(1.2 * LEAST)
      expect(planUpload(sizeBytes, { ...unknown, uplinkBytesPerSecond: 1 }).partSizeBytes).toBe(LEAST)
    }
  })

  test('T62: beyond 10,000 of them, up to 5 TiB, the parts grow instead of their number', () => {
    expect(planUpload(10_000 * LEAST + 1).partCount).toBeLessThan(10_000)
    const { partSizeBytes, partCount } = planUpload(MAX_OBJECT_BYTES)
    expect(partSizeBytes).toBeGreaterThanOrEqual(MAX_OBJECT_BYTES / 10_000)
    expect(partSizeBytes).toBeLessThan(525 * MIB)
    expect(partCount).toBeLessThanOrEqual(10_000)
  })
})

describe('plans by wish', () => {
  test('a wish that makes several parts is kept even below 16 MiB', () => {
    expect(parts(16 * MIB, 6 * MIB)).toEqual([6 * MIB, 6 * MIB, 4 * MIB])
  })

  test('a wish too small to be valid is raised just as far as needed', () => {
    expect(parts(11 * MIB, 1)).toEqual([5 * MIB + 1, 5 * MIB + 1, MIB - 2])
    expect(planUpload(100_000 * MIB, { partSizeBytes: MIB }).partCount).toBe(10_000)
  })

  test('a wish above the file makes one piece while that is small, else one part', () => {
    expect(parts(6 * MIB, 64 * MIB)).toEqual([])
    expect(parts(20 * MIB, 64 * MIB)).toEqual([20 * MIB])
  })
})

describe('plans by the uplink that is known', () => {
  const planned = (uplinkBytesPerSecond: number) =>
    planUpload(200_000 * MIB, { partSizeBytes: null, uplinkBytesPerSecond }).partSizeBytes

  test('a part takes a slow line no more than a second, as far as 10,000 parts allow', () => {
    expect(planned(30 * MIB)).toBe(30 * MIB)
    expect(planned(MIB)).toBe(20 * MIB)
    expect(planUpload(1024 * MIB, { partSizeBytes: null, uplinkBytesPerSecond: 1 }).partSizeBytes).toBe(LEAST)
  })

  test('on a fast one parts are 8 MiB until there are a thousand of them, then they grow to 64 MiB', () => {
    expect(planned(100 * MIB)).toBe(64 * MIB)
    const fast = { partSizeBytes: null, uplinkBytesPerSecond: 100 * MIB }
    expect(planUpload(8000 * MIB, fast)).toEqual({ partSizeBytes: 8 * MIB, partCount: 1000 })
  })
})

test('around every multiple of 10,000 the plan stays valid', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 549_755_813 }), fc.integer({ min: -1, max: 1 }), (k, offset) => {
      expectValid(k * 10_000 + offset, null)
    }),
  )
})

test('any size with any wish is covered exactly by valid parts', () => {
  const wish = fc.option(fc.integer({ min: 1, max: 6 * 1024 * MIB }))
  fc.assert(fc.property(fc.integer({ min: 0, max: MAX_OBJECT_BYTES }), wish, expectValid))
})

test('any service, uplink and size give a plan within the service’s limits, or none when nothing fits', () => {
  const service = fc.record({
    minPartSizeBytes: fc.integer({ min: 1, max: 64 * MIB }),
    maxPartCount: fc.integer({ min: 1, max: MAX_PART_COUNT }),
    maxPartSizeBytes: fc.integer({ min: 128 * MIB, max: 5 * 1024 * MIB }),
    uplinkBytesPerSecond: fc.option(fc.integer({ min: 1, max: 1024 * MIB })),
    partSizeBytes: fc.option(fc.integer({ min: 1, max: 6 * 1024 * MIB })),
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_OBJECT_BYTES }), service, (sizeBytes, options) => {
      const { minPartSizeBytes, maxPartCount, maxPartSizeBytes } = options
      if (sizeBytes > maxPartCount * maxPartSizeBytes) {
        expect(() => planUpload(sizeBytes, options)).toThrow('are more than')
        return
      }
      const plan = planUpload(sizeBytes, options)
      if (plan.partCount === 0) return
      expect(plan.partCount).toBeLessThanOrEqual(maxPartCount)
      expect(plan.partSizeBytes).toBeLessThanOrEqual(maxPartSizeBytes)
      if (plan.partCount > 1) expect(plan.partSizeBytes).toBeGreaterThan(minPartSizeBytes)
      expect(plan.partSizeBytes * (plan.partCount - 1)).toBeLessThan(sizeBytes)
      expect(plan.partSizeBytes * plan.partCount).toBeGreaterThanOrEqual(sizeBytes)
    }),
  )
})

test('a service with fewer and larger parts is respected', () => {
  const plan = planUpload(100_000 * MIB, { partSizeBytes: null, minPartSizeBytes: 64 * MIB, maxPartCount: 1000 })
  expect(plan).toEqual({ partSizeBytes: 100 * MIB, partCount: 1000 })
})
