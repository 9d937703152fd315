import type { PlaceId } from '../place/place.ts'
import type { Refusal } from '../transfer/error-words.ts'

/** An object that a link names, or the link itself. */
export type LinkTarget =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'object'; readonly placeId: PlaceId; readonly bucket: string; readonly key: string }

/** What a link leads to, as the server says. */
export interface LinkFacts {
  /** Name of the file that a download makes. */
  readonly name: string
  /** `host[:port]` that is asked. */
  readonly host: string
  /** Null: the server doesn't say. */
  readonly sizeBytes: number | null
  /** Whether a download that stopped can go on where it was; null: not known yet. */
  readonly canContinue: boolean | null
  /** Why it can't be downloaded now; null: nothing speaks against it. */
  readonly problem: Refusal | null
  /** It was not refused: a download would wait and try again. */
  readonly mayPass: boolean
  /** Whose certificate the problem is, `https://host[:port]`; null: it is none of that kind. */
  readonly untrustedOrigin: string | null
}

/** Requests about links that came from outside. Nothing is written for any of them. */
export interface LinkRequests {
  /** The links that the system opened the app with, each told once, and how many more there were. */
  'links:take': { request: null; response: { readonly links: readonly string[]; readonly leftOut: number } }
  /** The files and folders that the app was opened with, absolute, each told once. Nothing is at those that are missing. */
  'files:take': {
    request: null
    response: { readonly paths: readonly string[]; readonly missing: readonly string[] }
  }
  'links:look': { request: LinkTarget; response: LinkFacts }
}

export const LINK_REQUESTS = { 'links:take': true, 'files:take': true, 'links:look': true } satisfies Record<
  keyof LinkRequests,
  true
>
