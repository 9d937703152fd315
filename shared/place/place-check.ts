import type { Message } from '../language/message.ts'
import type { NewPlace } from './place.ts'

/** The steps of a check, in this order: each needs those before it. */
export const CHECK_STEPS = ['name', 'connection', 'clock', 'signature', 'list'] as const
export type CheckStepName = (typeof CHECK_STEPS)[number]

export interface CheckStep {
  readonly name: CheckStepName
  /** `open`: not reached, because an earlier step failed. */
  readonly state: 'passed' | 'failed' | 'open'
  /** Why it failed and what to do, or what was noticed; null: nothing to say. */
  readonly words: Message | null
}

/** How far a place works. */
export interface PlaceCheck {
  readonly steps: readonly CheckStep[]
  /** The region that the service named instead of the one given; null: that one is right, or the region isn't known. */
  readonly region: string | null
  /** What would help. */
  readonly remedy: CheckRemedy | null
}

/**
 * One button: it changes the form, leads to the field of the bucket, or shows the certificate of an origin, which may
 * then be trusted.
 */
export type CheckRemedy =
  | {
      readonly kind: 'change'
      readonly label: Message
      readonly changes: Partial<Pick<NewPlace, 'endpoint' | 'pathStyle' | 'bucket'>>
    }
  | { readonly kind: 'bucket'; readonly label: Message }
  | { readonly kind: 'certificate'; readonly label: Message; readonly origin: string }

/** Whether every step passed. */
export function isSound({ steps }: PlaceCheck): boolean {
  return steps.every(({ state }) => state === 'passed')
}
